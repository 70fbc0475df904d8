import { expect, test } from 'vitest'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { suggestTitles } from './title-editor'

test('offers headings of replies first, then user messages, newest first, without the current title', () => {
  const path = [
    userRow('u1', null, { text: 'slow please' }),
    replyRow('a1', 'u1', { outcome: 'finished', text: 'Sure.\n\n## A **small** web page\n\ntext' }),
    userRow('u2', 'a1', { text: 'Now make the button blue. And round, and\nbig.' }),
  ]
  expect(suggestTitles(path, 'slow please')).toEqual(['A small web page', 'Now make the button blue'])
})

test('cuts a long question between words; an unfinished reply or empty message offers nothing', () => {
  const path = [
    userRow('u1', null, { text: 'word '.repeat(40) }),
    replyRow('a1', 'u1', { outcome: 'stopped', text: '# Cut' }),
    userRow('u2', 'a1', { text: '  ' }),
  ]
  const titles = suggestTitles(path, '')
  expect(titles).toHaveLength(1)
  expect(titles[0]).toMatch(/^(word )+word…$/)
  expect(titles[0]?.length).toBeLessThanOrEqual(61)
})
