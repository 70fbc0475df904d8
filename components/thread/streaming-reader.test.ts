import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replyRow } from '@/lib/client/chats/testing/rows'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { createStreamingReader } from './streaming-body'

const tools = builtIn.specs()

describe('a streaming reply', () => {
  it.each(toolContextBuilder.strategies.map(({ id }) => id))('never shows protocol text of %s as prose', (strategy) => {
    const call = toolContextBuilder
      .get(strategy)
      .formatCalls([{ name: 'read_file', arguments: { path: '/secret.md' } }])
    const text = `I’ll read it.\n\n${call}`
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 }), (sizes) => {
        const reader = createStreamingReader(tools)
        let at = 0
        for (const size of [...sizes, text.length]) {
          at = Math.min(text.length, at + size)
          const message = replyRow('a1', 'u1', { strategy, text: text.slice(0, at), outcome: null })
          const prose = reader
            .read(message)
            .filter((segment) => segment.kind === 'text')
            .map((segment) => message.text.slice(segment.start, segment.end))
            .join('')
          expect(prose).not.toContain('/secret')
          expect('I’ll read it.\n\n'.startsWith(prose.trimEnd())).toBe(true)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('shows everything as text if the conversation’s tools are off', () => {
    const message = replyRow('a1', 'u1', { toolsEnabled: false, text: '<tool_code>{}', outcome: null })
    expect(createStreamingReader(tools).read(message)).toEqual([{ kind: 'text', start: 0, end: 13 }])
  })

  it.each(toolContextBuilder.strategies.map(({ id }) => id))(
    'shows the first words immediately, with %s',
    (strategy) => {
      for (const text of ['Let me look at it', 'Sure, I', 'print the file', 'read the file']) {
        const message = replyRow('a1', 'u1', { strategy, text, outcome: null })
        const shown = createStreamingReader(tools).read(message).at(-1)?.end ?? 0
        expect([text, shown >= text.lastIndexOf(' ')]).toEqual([text, true])
      }
    },
  )

  it('shows a native call as JSON if tools are off, also while streaming', () => {
    const text = 'I look.\u001ebeside_call {"name":"read_file"}\n{"path":"/a"}\u001e\n'
    for (let end = 1; end <= text.length; end++) {
      const message = replyRow('a1', 'u1', { toolsEnabled: false, text: text.slice(0, end), outcome: null })
      for (const one of createStreamingReader(tools).read(message))
        for (const mark of ['\u001e', '\u241e'])
          expect('said' in one ? one.said : message.text.slice(one.start, one.end)).not.toContain(mark)
    }
  })

  it('starts over when the log does', () => {
    const reader = createStreamingReader(tools)
    reader.read(replyRow('a1', 'u1', { text: 'first words', outcome: null }))
    const again = reader.read(replyRow('a1', 'u1', { text: 'So I look', outcome: null }))
    expect(again).toMatchObject([{ kind: 'text', start: 0 }])
    expect(again.at(-1)?.end).toBeLessThanOrEqual(9)
  })
})
