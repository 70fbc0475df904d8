import { expect, it } from 'vitest'
import { hasReply, newestLeafOfTree, treePathTo, treeOf } from './message-tree'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'

it('tells a chat with a reply from one with only user messages', () => {
  expect(hasReply(treeOf([]))).toBe(false)
  expect(hasReply(treeOf([userRow('u1', null), userRow('u2', null)]))).toBe(false)
  expect(hasReply(treeOf([userRow('u1', null), replyRow('a1', 'u1', { outcome: null })]))).toBe(true)
})

it('leads to the newest leaf of a branch, and ends at a missing parent or a cycle', () => {
  const tree = treeOf([userRow('u1', null), replyRow('a1', 'u1'), replyRow('a2', 'u1'), userRow('u2', 'a2')])
  expect(newestLeafOfTree(tree, 'u1')).toBe('u2')
  expect(treePathTo(tree, 'u2').map(({ id }) => id)).toEqual(['u1', 'a2', 'u2'])
  expect(treePathTo(treeOf([userRow('u3', 'gone')]), 'u3')).toHaveLength(1)
  expect(treePathTo(treeOf([userRow('x', 'y'), replyRow('y', 'x')]), 'y')).toHaveLength(2)
})
