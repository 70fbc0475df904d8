import { expect, it } from 'vitest'
import { hasText, lastText } from './outline'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'

const file = { path: '/a.csv', mediaType: 'text/csv', size: 3, head: 'a,b', isImage: false }

it('counts a user message with text or files, not one that only sends results', () => {
  const files = userRow('u2', 'a1', { text: '', attachments: [file] })
  const results = userRow('r1', 'a2', { text: '' })
  expect([userRow('u1', null), files, results].map(hasText)).toEqual([true, true, false])
  const path = [userRow('u1', null), replyRow('a1', 'u1'), files, replyRow('a2', 'u2'), results]
  expect(lastText(path)?.id).toBe('u2')
  expect(lastText([results])).toBeUndefined()
})
