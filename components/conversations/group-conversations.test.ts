import { expect, it } from 'vitest'
import { groupConversations } from './conversation-row'

const row = (id: string, updatedAt: Date) => ({
  id,
  title: id,
  updatedAt: updatedAt.getTime(),
  running: false,
  waitingCalls: 0,
})

it('groups by day in the reader’s time zone, newest first, and leaves out empty groups', () => {
  const now = new Date(2026, 4, 20, 9, 0)
  const groups = groupConversations(
    [
      row('old', new Date(2026, 3, 1)),
      row('early today', new Date(2026, 4, 20, 0, 0)),
      row('late yesterday', new Date(2026, 4, 19, 23, 59)),
      row('now', now),
      row('a week ago', new Date(2026, 4, 13, 12)),
    ],
    now,
  )
  expect(groups.map(({ title, rows }) => [title, rows.map(({ id }) => id)])).toEqual([
    ['Today', ['now', 'early today']],
    ['Last 7 days', ['late yesterday', 'a week ago']],
    ['Older', ['old']],
  ])
  expect(groupConversations([row('x', now)], now)).toHaveLength(1)
})
