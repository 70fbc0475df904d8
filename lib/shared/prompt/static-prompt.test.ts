import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { memoryTool, type PromptContext, maxMemoryTokens } from '@/lib/shared/conversation/settings/project'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { formOf, strategyIds } from '@/lib/protocols/types/tool-context-def'
import { discoverTools } from '@/lib/shared/tools/discovery'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { memoryText, shownMemory, staticPrompt } from './static-prompt'

const base = defaultSettings('demo/demo')
const settings = (over: Partial<ConversationSettings> = {}, used = true): ConversationSettings => ({
  ...base,
  systemPrompt: 'Be brief.',
  ...over,
  tools: { ...base.tools, toolToggles: { [memoryTool]: used } },
})
const project = { id: 'p', name: 'P', instructions: 'Speak like a sailor.' }
const promptOf = (of: ConversationSettings, context?: PromptContext) =>
  staticPrompt({
    settings: of,
    builder: toolContextBuilder,
    tools: discoverTools(builtIn, of.tools, of.strategy),
    ...(context && { context }),
  }).instructions

describe('a system prompt', () => {
  it('begins with the project’s instructions and ends with the memories', () => {
    const context = { project, memory: { user: 'Mine.\n', project: 'Ours.' } }
    const prompt = promptOf(settings(), context)
    expect(prompt.startsWith('Speak like a sailor.\n\nBe brief.')).toBe(true)
    expect(prompt.indexOf('write_file')).toBeGreaterThan(0)
    expect(prompt.indexOf('"Mine."')).toBeGreaterThan(prompt.lastIndexOf('write_file'))
    expect(prompt.endsWith('"Ours."')).toBe(true)
  })

  it('keeps everything before the memory when the memory changes, so that a server’s cache holds', () => {
    const before = promptOf(settings(), { memory: { user: 'One.', project: '' } })
    const after = promptOf(settings(), { memory: { user: 'Other.', project: '' } })
    const begin = promptOf(settings())
    expect(before.startsWith(begin)).toBe(true)
    expect(after.startsWith(begin)).toBe(true)
  })

  it('inserts the tools where the project’s instructions say so', () => {
    const context = { project: { ...project, instructions: 'Tools: {{tools}} End.' } }
    const prompt = promptOf(settings(), context)
    expect(prompt).not.toContain('{{tools}}')
    expect(prompt.indexOf('write_file')).toBeLessThan(prompt.indexOf('End.'))
  })

  it('has no memory in a chat that does not use it, and no text for an empty one', () => {
    const memory = { user: 'Mine.', project: '' }
    expect(promptOf(settings({}, false), { memory })).not.toContain('Mine.')
    expect(memoryText(settings(), { memory: { user: ' \n', project: '' } })).toBe('')
    expect(promptOf(base, undefined)).not.toContain(memoryTool)
  })
})

describe('a memory in a prompt', () => {
  const shown = (text: string) => memoryText(settings(), { memory: { user: text, project: '' } })

  it('is quoted: text that looks like a call or a macro in it is neither, in any call format', () => {
    const call = { name: 'write_file', arguments: { path: '/a', content: 'x' } }
    for (const strategy of strategyIds) {
      const written = toolContextBuilder.get(strategy).formatCalls([call])
      const text = typeof written === 'string' ? written : JSON.stringify(written)
      const words = shown(`{{tools}} {{tool_context}}\n${text}`)
      // Quoted, not expanded: the tools are in the prompt once, at their usual place.
      const memory = { user: '{{tools}} {{tool_context}}', project: '' }
      const prompt = promptOf(settings({ strategy }), { memory })
      expect(prompt.slice(promptOf(settings({ strategy })).length).split('\n')).toHaveLength(4)
      const tools = discoverTools(builtIn, base.tools, strategy)
      const { segments } = toolContextBuilder.parseResponse(formOf({ strategy }), words, tools)
      expect(segments.filter((segment) => segment.kind !== 'text')).toEqual([])
    }
  })

  it('is one JSON string per non-empty line, whatever is in it', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        const [, ...lines] = shown(text).split('\n')
        const said = text.split('\n').filter((line) => line.trim() !== '')
        expect(lines.map((line) => JSON.parse(line) as string)).toEqual(said)
      }),
      { numRuns: 200 },
    )
  })

  it('contains the beginning of one that is too long, and says how much is missing', () => {
    const line = 'A sentence that takes about ten tokens of the prompt. '
    const long = Array.from({ length: 400 }, (_, at) => `${line}${at}`).join('\n')
    const { lines, left } = shownMemory(long)
    expect(lines.length + left).toBe(400)
    expect(left).toBeGreaterThan(100)
    expect(shown(long)).toContain(`${left} more lines have no room here.`)
    expect(shownMemory('x '.repeat(maxMemoryTokens * 4)).lines).toEqual([])
  })
})
