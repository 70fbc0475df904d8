import { describe, expect, it } from 'vitest'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { summaryRequest } from './summary-request'

const how = { model: 'demo/demo', strategy: 'JSON_Strict', before: '' } as const
const textOf = ({ request }: ReturnType<typeof summaryRequest>) => {
  const [turn] = request.turns
  return turn?.role === 'user' ? turn.text : ''
}

describe('the request for a summary', () => {
  it('is one prompt that quotes the messages and the outcomes of calls, and offers no tool', () => {
    const result = {
      messageId: 'a',
      slot: 0,
      callId: 'c',
      name: 'read_file',
      status: 'completed',
      result: 'x'.repeat(9_000),
      durationMs: 1,
    } as const
    const messages = [
      userRow('u', null, { text: 'Read it.' }),
      replyRow('a', 'u', { text: 'I look.' }),
      userRow('t', 'a', { text: '', results: [result] }),
    ]
    const asked = summaryRequest(messages, how, 100_000)
    expect(asked.request.tools).toEqual([])
    expect(textOf(asked)).toContain(
      '<user>\nRead it.\n</user>\n\n<assistant>\nI look.\n</assistant>\n\n<results>\nread_file (completed): "xxx',
    )
    expect(textOf(asked)).toMatch(/… \(\d+ characters more\)\n<\/results>$/)
    expect([asked.leftOut, textOf(asked).length < 2_500]).toEqual([0, true])
  })

  it('leaves out the oldest if there is no space, and says how many; the newest is always included', () => {
    const messages = Array.from({ length: 20 }, (_, at) =>
      userRow(`u${at}`, null, { text: `number ${at} ${'and more words '.repeat(30)}` }),
    )
    const asked = summaryRequest(messages, how, 600)
    expect(asked.leftOut).toBeGreaterThan(10)
    expect(textOf(asked)).toContain('number 19')
    expect(textOf(asked)).not.toContain(`number ${asked.leftOut - 1} `)
    expect(asked.tokens).toBeLessThanOrEqual(600)
    expect(summaryRequest(messages, how, 1).leftOut).toBe(19)
  })

  it('continues from the summary of earlier left-out messages', () => {
    expect(textOf(summaryRequest([userRow('u', null)], { ...how, before: 'They met.' }, 9_000))).toContain(
      'What was said before it, in short:\nThey met.',
    )
  })
})
