import { describe, expect, it } from 'vitest'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { AbsentMessage, ChatRow } from '@/lib/shared/conversation/message-tree'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import { costOf, perSecond } from './use-next-request'
import { cutSources, sharedContentBy, usualSource } from './count-tokens'

const words = 'some words of a message '.repeat(40)
const result = (messageId: string): ToolResult => ({
  messageId,
  slot: 0,
  callId: 'c',
  name: 'read_file',
  status: 'completed',
  result: words,
  durationMs: 1,
})

/** Three turns, each with a user message, a call, its results and an answer. */
const path: readonly ChatRow[] = [0, 1, 2].flatMap((n) => [
  userRow(`u${n}`, n === 0 ? null : `b${n - 1}`, { text: words }),
  replyRow(`a${n}`, `u${n}`, { text: words }),
  userRow(`t${n}`, `a${n}`, { text: '', results: [result(`a${n}`)] }),
  replyRow(`b${n}`, `t${n}`, { text: words }),
])

describe('what a compaction leaves out', () => {
  it('can end only before a user message without tool results', () => {
    expect(cutSources(path).map(({ messageId, through }) => [messageId, through])).toEqual([
      ['u1', 'b0'],
      ['u2', 'b1'],
    ])
    expect(cutSources(path.slice(0, 4))).toEqual([])
    const absent = path.map(({ id, parentId, role }): AbsentMessage => ({
      id,
      parentId,
      role,
      isFromUser: id.startsWith('u'),
      size: 900,
      absent: true,
    }))
    expect(cutSources(absent).map(({ messageId }) => messageId)).toEqual(['u1', 'u2'])
  })

  it('is about half of the chat by default', () => {
    const places = cutSources(path)
    expect(usualSource(places, 2_000)?.messageId).toBe('u2')
    expect(usualSource(places, 100)?.messageId).toBe('u1')
    expect(usualSource([], 100)).toBeUndefined()
  })

  it('saves its tokens, less the summary and the pinned pairs', () => {
    const cut = sharedContentBy(path, 'b1', '', [])
    expect(cut.leaves).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    const summed = sharedContentBy(path, 'b1', 'A summary of twenty words, or some more of them.', [])
    expect(cut.tokensWon - summed.tokensWon).toBeGreaterThan(8)
    const pinned = sharedContentBy(path, 'b1', '', ['t0'])
    expect([pinned.leaves, pinned.stays]).toEqual([
      [0, 3, 4, 5, 6, 7],
      [1, 2],
    ])
    expect(pinned.tokensWon).toBeLessThan(cut.tokensWon)
  })
})

describe('the figures of a reply', () => {
  it('show its speed if the reply was long enough', () => {
    const usage = { inputTokens: 10, outputTokens: 120 }
    expect(perSecond({ pace: { firstMs: 500, ms: 3_500 }, usage })).toBe(40)
    expect(perSecond({ pace: { firstMs: 500, ms: 30_500 }, usage })).toBe(4)
    expect(perSecond({ pace: { firstMs: 500, ms: 600 }, usage })).toBeNull()
    expect(perSecond({ usage })).toBeNull()
    expect(perSecond({ pace: { firstMs: 0, ms: 900 }, usage: null })).toBeNull()
  })

  it('show the cost if every reply was counted', () => {
    const price = { perMillionIn: 2, perMillionOut: 10 }
    const counted = replyRow('a', null, { usage: { inputTokens: 500_000, outputTokens: 100_000 } })
    expect(costOf([counted, counted, userRow('u', 'a')], price)).toBe(4)
    expect(costOf([counted, replyRow('b', null)], price)).toBeNull()
  })
})
