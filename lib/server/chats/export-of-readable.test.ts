import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  exportOfReadable,
  inOneLine,
  type PositionedMessage,
} from '@/lib/shared/conversation/readable/export-of-readable'
import { checkImport } from '../sharing/conversation-import'

describe('exporting a chat from readable text', () => {
  it('joins consecutive replies, and begins with a user message', () => {
    const reply = (text: string) =>
      ({ by: 'model', at: 1, model: '', ended: 'finished', parts: [{ kind: 'text', text }] }) as const
    const exported = exportOfReadable(
      inOneLine({ title: 't', createdAt: 0, systemPrompt: null, messages: [reply('a'), reply('b')] }),
      1,
    )
    expect(exported.messages.map((one) => [one.role, one.text])).toEqual([
      ['user', '(The model started.)'],
      ['assistant', 'a\n\nb'],
    ])
  })

  it('passes the import check for any tree', () => {
    const node = fc.record({
      by: fc.constantFrom('person' as const, 'model' as const),
      text: fc.constantFrom('', 'words', ' '),
      back: fc.nat({ max: 4 }),
    })
    fc.assert(
      fc.property(fc.array(node, { maxLength: 14 }), fc.nat(), (nodes, pick) => {
        const messages = nodes.map(({ by, text, back }, at): PositionedMessage => {
          const place = { id: `n${at}`, parentId: at - back <= 0 ? null : `n${at - back - (back === 0 ? 1 : 0)}`, at }
          return by === 'person'
            ? { ...place, by, text, files: [] }
            : { ...place, by, model: '', ended: 'finished', parts: [{ kind: 'text', text }] }
        })
        const headId = messages.length === 0 ? null : `n${pick % messages.length}`
        const exported = exportOfReadable(
          { title: '', createdAt: 0, updatedAt: 0, systemPrompt: null, messages, headId },
          1,
        )
        checkImport(exported)
        // All text is included.
        const said = nodes.some(({ text }) => text.trim() !== '')
        expect(exported.messages.length > 0).toBe(said)
      }),
      { numRuns: 300 },
    )
  })
})
