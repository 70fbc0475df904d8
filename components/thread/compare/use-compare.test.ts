import { describe, expect, it } from 'vitest'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { type ChatRow, treeOf } from '@/lib/shared/conversation/message-tree'
import { type ActiveRun, emptyView } from '@/lib/client/state/state'
import { comparedWith, sideReplies } from './use-compare'

const idsOf = (rows: readonly ChatRow[], replyId: string) =>
  comparedWith({ tree: treeOf(rows) }, replyId).sides.map(({ replies }) => replies.map(({ message }) => message.id))

describe('the sides of a comparison', () => {
  const asked = userRow('u1', null, { text: 'a question' })

  it('are the versions of one reply, oldest first, each with the replies that followed its calls', () => {
    const rows = [
      asked,
      replyRow('a1', 'u1'),
      userRow('r1', 'a1', { text: '' }),
      replyRow('a2', 'r1'),
      userRow('u2', 'a2', { text: 'the next question' }),
      replyRow('a3', 'u2'),
      replyRow('b1', 'u1'),
    ]
    expect(idsOf(rows, 'a1')).toEqual([['a1', 'a2'], ['b1']])
  })

  it('are three at most: the first one, and the latest ones', () => {
    const rows = [asked, ...['a', 'b', 'c', 'd'].map((id) => replyRow(id, 'u1'))]
    expect(idsOf(rows, 'a')).toEqual([['a'], ['c'], ['d']])
    expect(idsOf(rows, 'c')).toEqual([['b'], ['c'], ['d']])
  })

  it('leave out deleted replies', () => {
    expect(idsOf([asked, replyRow('a', 'u1'), replyRow('b', 'u1', { deleted: true })], 'a')).toEqual([['a']])
    expect(idsOf([asked], 'gone')).toEqual([])
  })

  it('that are not loaded are requested with the replies that followed their calls', () => {
    const absent = (id: string, parentId: string, role: 'user' | 'assistant' = 'assistant', isFromUser = false) =>
      ({ id, parentId, role, isFromUser, size: 1, absent: true }) as const
    const rows = [
      asked,
      replyRow('a', 'u1'),
      absent('b', 'u1'),
      absent('r', 'b', 'user'),
      absent('b2', 'r'),
      absent('next', 'b2', 'user', true),
      replyRow('c', 'u1'),
    ]
    expect(idsOf(rows, 'a')).toEqual([['a'], ['c']])
    expect(comparedWith({ tree: treeOf(rows) }, 'a').absent).toEqual(['b', 'r', 'b2'])
  })
})

describe('what is written beside a shown reply', () => {
  const view = (over: object) => ({
    ...emptyView,
    tree: treeOf([userRow('u1', null), replyRow('a', 'u1'), replyRow('b', 'u1', { outcome: null })]),
    path: [userRow('u1', null), replyRow('a', 'u1')],
    ...over,
  })
  const run = (replyId: string, isSide?: true): ActiveRun => ({
    runId: `run-${replyId}`,
    replyId,
    seq: 1,
    connection: 'live',
    stopping: false,
    ...(isSide && { isSide }),
  })

  it('is compared with the reply that the chat shows', () => {
    expect(sideReplies(view({ run: run('b', true) }))).toEqual({ count: 1, replyId: 'a' })
    expect(sideReplies(view({ run: run('a'), sides: [run('b', true)] }))).toEqual({ count: 1, replyId: 'a' })
    expect(sideReplies(view({ run: run('b', true), path: [] }))).toEqual({ count: 1, replyId: 'b' })
  })

  it('is nothing during the reply of a turn, or before the log has begun', () => {
    expect(sideReplies(view({}))).toBeNull()
    expect(sideReplies(view({ run: run('b') }))).toBeNull()
    expect(sideReplies(view({ run: run('', true) }))).toBeNull()
  })
})
