import { describe, expect, it } from 'vitest'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { callKey, emptyView } from './state'
import { callRow, conversationId, conversationRow, replyRow, userRow } from '../chats/testing/rows'
import { writingOn, pendingCallsText } from './last-reply'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

const call = (n: number) =>
  `<tool_code>${JSON.stringify({ name: 'read_file', arguments: { path: `/${n}` } })}</tool_code>`
const ran = { status: 'completed', result: 1, durationMs: 1, console: [], displays: [] } as const

function words(records: readonly CallRecord[], calls = 3): string {
  const text = Array.from({ length: calls }, (_, n) => call(n)).join('\n')
  const reply = replyRow('a1', 'u1', { text, strategy: 'XML_Tag' })
  const path = [userRow('u1', null), reply]
  return pendingCallsText(
    writingOn(
      {
        ...emptyView,
        id: conversationId,
        phase: 'ready',
        conversation: conversationRow(),
        path,
        tree: new Map(path.map((row) => [row.id, row])),
        calls: new Map(records.map((row) => [callKey(row.messageId, row.slot), row])),
      },
      builtIn,
    ),
  )
}

describe('calls that are left when the user sends another message', () => {
  it('are none when every call is settled', () => {
    expect(words([0, 1, 2].map((slot) => callRow('a1', slot, { outcome: ran })))).toBe('')
  })

  it('include the calls that wait', () => {
    expect(words([])).toBe('Sending a message skips 3 calls.')
    expect(words([], 1)).toBe('Sending a message skips this call.')
  })

  it('include a call that has not returned, which is neither stopped nor lost', () => {
    expect(words([callRow('a1', 0)], 1)).toBe(
      'Sending a message does not stop the running call: the model learns that it is still running, and gets its result later.',
    )
    // A call that the user stopped is no longer running.
    const stopped = { at: 1, outcome: { ...ran, status: 'cancelled' } } as const
    expect(words([callRow('a1', 0, { stopped })], 1)).toBe('')
    expect(words([callRow('a1', 0, { stopped: { at: 1, outcome: null } })], 1)).toContain('does not stop')
  })

  it('include a result that stays here until it is reviewed', () => {
    expect(words([callRow('a1', 0, { outcome: ran, gated: true })], 1)).toBe(
      'Sending a message leaves the result unsent.',
    )
  })

  it('are all named together', () => {
    expect(words([callRow('a1', 0), callRow('a1', 1, { outcome: ran, gated: true })])).toMatch(
      /^Sending a message skips this call, leaves the result unsent, and does not stop the running call/,
    )
  })
})
