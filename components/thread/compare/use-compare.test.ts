import { describe, expect, it } from 'vitest'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import { treeOf } from '@/lib/shared/conversation/message-tree'
import { sidesOf } from './use-compare'

const idsOf = (rows: readonly ChatRow[], replyId: string) =>
  sidesOf({ tree: treeOf(rows) }, replyId).map(({ replies }) => replies.map(({ message }) => message.id))

describe('the sides of a comparison', () => {
  const asked = userRow('u1', null, { text: 'a question' })

  it('are the versions of one reply, oldest first, each with what followed by its calls', () => {
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

  it('are three at most: the one it began with, and the last ones', () => {
    const rows = [asked, ...['a', 'b', 'c', 'd'].map((id) => replyRow(id, 'u1'))]
    expect(idsOf(rows, 'a')).toEqual([['a'], ['c'], ['d']])
    expect(idsOf(rows, 'c')).toEqual([['b'], ['c'], ['d']])
  })

  it('leave out what was deleted and what is not here', () => {
    const absent = { id: 'c', parentId: 'u1', role: 'assistant', said: false, size: 1, absent: true } as const
    expect(idsOf([asked, replyRow('a', 'u1'), replyRow('b', 'u1', { deleted: true }), absent], 'a')).toEqual([['a']])
    expect(idsOf([asked], 'gone')).toEqual([])
  })
})
