import { describe, expect, it, vi } from 'vitest'
import { strategyModules } from './registry'
import { testTools } from './testing/tools'
import { createToolContextBuilder, toolContextBuilder } from './tool-context-builder'
import { defaultStrategy, strategyIds, type ToolContextDef } from './types/tool-context-def'

const splice = (system: string, enabled = true, tools = testTools) =>
  toolContextBuilder.spliceSystemPrompt(system, { strategy: 'JSON_Strict', tools, enabled })

describe('toolContextBuilder', () => {
  it('knows its strategies, the default first', () => {
    expect(toolContextBuilder.strategies.map((def) => def.id)).toEqual(strategyIds)
    expect(strategyIds[0]).toBe(defaultStrategy)
    expect(toolContextBuilder.isStrategyId('VCP')).toBe(true)
    expect(toolContextBuilder.isStrategyId('toString')).toBe(false)
    expect(toolContextBuilder.isStrategyId(null)).toBe(false)
  })

  it('puts the block in place of every {{tools}}, and nowhere else', () => {
    const text = splice('A {{tools}} B {{ tools }} C')
    expect(text).toMatch(/^A # Calling tools[^]* B # Calling tools[^]* C$/)
    expect(text).not.toContain('{{')
  })

  it('appends the block to a prompt without {{tools}}', () => {
    expect(splice('Be kind.')).toMatch(/^Be kind\.\n\n# Calling tools/)
    expect(splice('')).toMatch(/^# Calling tools/)
  })

  it('leaves no trace of the block if tools are off or none is offered', () => {
    expect(splice('A {{tools}}B', false)).toBe('A B')
    expect(splice('A', false)).toBe('A')
    expect(splice('A {{tools}}', true, [])).toBe('A ')
  })

  it('does not treat dollar signs in a description as patterns', () => {
    const tool = { name: 'pay', description: 'Pays $& and $1.', parameters: { type: 'object', properties: {} } }
    expect(splice('{{tools}}', true, [tool])).toContain('Pays $& and $1.')
  })

  it('leaves {{tool_context}} alone', () => {
    expect(splice('{{tool_context}} {{tools}}', false)).toBe('{{tool_context}} ')
  })

  it('does not mention disabled tools to the model', () => {
    expect(splice('{{tools}}')).not.toContain('delete_path')
    expect(toolContextBuilder.promptParts('VCP', testTools).map((part) => part.kind)).toEqual([
      'protocol',
      'tools',
      'behaviour',
    ])
  })

  it('names the markers of one strategy only', () => {
    for (const { id } of toolContextBuilder.strategies) {
      const text = toolContextBuilder.spliceSystemPrompt('', { strategy: id, tools: testTools, enabled: true })
      for (const { id: other, signature } of strategyModules)
        if (signature !== null) expect([id, text.includes(signature)]).toEqual([id, other === id])
      expect(text.includes('tool_calls')).toBe(id === 'JSON_Strict')
    }
  })

  it('uses about 120 characters for a small tool, including the head of the list', () => {
    const tools = toolContextBuilder.promptParts('JSON_Strict', testTools.slice(0, 1))[1]?.text ?? ''
    expect(tools.length).toBeLessThan(120)
  })
})

describe('the parts of a prompt', () => {
  const counting = () => {
    const [def] = toolContextBuilder.strategies
    if (!def) throw new Error('no strategy')
    const promptParts = vi.fn<typeof def.promptParts>((tools) => def.promptParts(tools))
    const counted: ToolContextDef & { promptParts: ToolContextDef['promptParts'] } = { ...def, promptParts }
    return { builder: createToolContextBuilder([counted]), counted, promptParts, id: def.id }
  }

  it('are computed once for the same tools, whichever of them are disabled', () => {
    const { builder, promptParts, id } = counting()
    const first = builder.promptParts(id, testTools)
    builder.spliceSystemPrompt('Be brief.', { strategy: id, tools: testTools, enabled: true })
    expect(builder.promptParts(id, testTools)).toBe(first)
    expect(promptParts).toHaveBeenCalledTimes(1)
    expect(builder.promptParts(id, testTools.slice(0, 1))).not.toEqual(first)
    expect(promptParts).toHaveBeenCalledTimes(2)
  })

  it('are computed again if a strategy’s text was replaced', () => {
    const { builder, counted, id } = counting()
    builder.promptParts(id, testTools)
    counted.promptParts = () => []
    expect(builder.promptParts(id, testTools)).toEqual([])
  })
})
