import { expect, it } from 'vitest'
import { retarget } from './delivery'
import { conversationRow, replyRow, userRow } from '../chats/testing/rows'

const messages = [
  userRow('u1', null),
  replyRow('a1', 'u1'),
  userRow('u2', 'a1'),
  replyRow('a2', 'u2'),
  userRow('u2b', 'a1'),
  replyRow('a2b', 'u2b'),
]
const at = (headId: string | null) => ({ conversation: conversationRow({ headId }), messages })

it('puts a message behind what came after the end that it saw', () => {
  expect(retarget({ parentId: 'a1' }, at('a2b'))).toEqual({ parentId: 'a2b' })
  expect(retarget({ parentId: null }, at('a2'))).toEqual({ parentId: 'a2' })
})

it('keeps it in the branch that it saw when the chat was switched to another one', () => {
  expect(retarget({ parentId: 'a2' }, at('a2b'))).toEqual({ parentId: 'a2', branch: 'leaf' })
  expect(retarget({ parentId: 'u2' }, at('a2b'))).toEqual({ parentId: 'a2', branch: 'leaf' })
})

it('puts it at the end if the end that it saw is gone', () => {
  expect(retarget({ parentId: 'nowhere' }, at('a2'))).toEqual({ parentId: 'a2' })
})
