import { expect, test } from 'vitest'
import { nearestPath } from './nearest-path'

const paths = ['/attachments', '/attachments/sales.csv', '/attachments/Sales 2024.csv', '/notes/todo.md', '/todo.md']

test.each([
  ['/sales.csv', '/attachments/sales.csv'],
  ['/SALES.CSV', '/attachments/sales.csv'],
  ['/sales.tsv', '/attachments/sales.csv'],
  ['/attachment', '/attachments'],
  ['/attachments/slaes.csv', '/attachments/sales.csv'],
  // Of two that are as like, the one that lies nearer.
  ['/notes/tood.md', '/notes/todo.md'],
])('%s may mean %s', (wanted, meant) => {
  expect(nearestPath(wanted, paths)).toBe(meant)
})

test('nothing is named where nothing is near', () => {
  expect(nearestPath('/qqqqqqqqqqqq', paths)).toBeNull()
  expect(nearestPath('/sales.csv', [])).toBeNull()
})
