import { expect, test } from 'vitest'
import { nearestPath } from './nearest-path'

const paths = ['/attachments', '/attachments/sales.csv', '/attachments/Sales 2024.csv', '/notes/todo.md', '/todo.md']

test.each([
  ['/sales.csv', '/attachments/sales.csv'],
  ['/SALES.CSV', '/attachments/sales.csv'],
  ['/sales.tsv', '/attachments/sales.csv'],
  ['/attachment', '/attachments'],
  ['/attachments/slaes.csv', '/attachments/sales.csv'],
  // Of two equally similar paths, the nearer one.
  ['/notes/tood.md', '/notes/todo.md'],
])('%s may mean %s', (wanted, meant) => {
  expect(nearestPath(wanted, paths)).toBe(meant)
})

test('suggests nothing when no path is similar', () => {
  expect(nearestPath('/qqqqqqqqqqqq', paths)).toBeNull()
  expect(nearestPath('/sales.csv', [])).toBeNull()
})
