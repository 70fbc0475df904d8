import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { Attachment, Message } from '@/lib/shared/conversation/conversation'
import { sentBefore, continuationText } from './continuation'

const path = '/attachments/customers.csv'
const lines = Array.from({ length: 300 }, (_, n) => `${n + 1},Ada ${n + 1},ada${n + 1}@example.org`)
const content = lines.join('\n')
const result: JsonValue = { path, content, lines: 300 }
const attachment = (over: Partial<Attachment> = {}): Attachment => ({
  path,
  mediaType: 'text/csv',
  size: 13_300,
  head: content.slice(0, 2_000),
  isImage: false,
  ...over,
})
const ask = (over: Parameters<typeof userRow>[2] = {}) => userRow('u1', null, { text: 'Look at my customers', ...over })

function said(messages: readonly Message[], of: JsonValue = result, args: JsonObject = { path }): string {
  return continuationText(sentBefore(of, { arguments: args, paths: [path] }, messages, () => []))
}
const notSent = 'This result was not sent to the model.'

describe('the part of a waiting result that the model already got', () => {
  it('is nothing if no line of it was sent', () => {
    expect(said([ask()])).toBe('The model has not seen any of it.')
  })

  it('is the beginning of an attached file, with its lines counted', () => {
    const words = said([ask({ attachments: [attachment()] })])
    expect(words).toMatch(
      /^This result was not sent to the model\. The model has seen the first 2,000 bytes of \/attachments\/customers\.csv/,
    )
    const counted = Number(/(\d+) of its 300 lines in this chat/.exec(words)?.[1])
    expect(counted).toBe(content.slice(0, 2_000).split('\n').length - 1)
  })

  it('is all of a file that was sent in full', () => {
    const words = said([ask({ attachments: [attachment({ head: content, size: content.length })] })])
    expect(words).toContain(
      `The model has seen all of ${path} in a message. The model has seen all 300 lines of it in this chat`,
    )
  })

  it('is nothing for a file if only its name was sent', () => {
    expect(said([ask({ attachments: [attachment({ head: null })] })])).toContain('not seen any of it')
  })

  it('is the user’s own text, also within a longer line, and in another branch', () => {
    expect(said([ask({ text: `Why is “${lines[6] ?? ''}” twice?` })])).toContain('1 of its 300 lines')
  })

  it('is what an earlier result contained, after its edits', () => {
    const sent = (value: JsonValue, note = '') =>
      ask({
        results: [
          { messageId: 'm', slot: 0, callId: 'c', name: 'n', status: 'completed', result: value, durationMs: 1, note },
        ],
      })
    expect(said([sent({ content: lines.slice(0, 4).join('\n') })])).toContain('4 of its 300 lines')
    expect(said([sent({}, `The user says: “${lines[0] ?? ''}”`)])).toContain('1 of its 300 lines')
    // No part of the withheld result was sent.
    expect(said([sent({ error: 'It ran, but its result was not sent: the user kept it.' })])).toContain(
      'not seen any of it',
    )
  })

  it('is the model’s own text, as it meant it', () => {
    const reply = replyRow('a1', 'u1', { text: JSON.stringify({ content }), outcome: 'finished' })
    const known = sentBefore(result, { arguments: { path }, paths: [path] }, [ask(), reply], () => [
      { name: 'write_file', arguments: { path, content } },
    ])
    expect(known).toMatchObject({ lines: 300, sent: 300, isNew: false })
  })

  it('claims nothing about lines that are too short to be distinctive, unless they are new too', () => {
    expect(said([ask({ text: 'a\n}\nb' })], { content: '}\n{' })).toBe(notSent)
    expect(said([ask({ text: 'words' })], { content: '}\n{' })).toContain('not seen any of it')
    expect(said([ask()], { value: 4711 })).toBe(notSent)
  })

  it('does not count what the call itself names', () => {
    expect(said([ask({ text: path })], { path }, { path })).toBe(notSent)
  })
})
