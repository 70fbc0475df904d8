import { inspect as nodeInspect } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { inspect } from './inspect'

class Point {
  x = 1
  y = { z: [1, 2, { deep: { deeper: {} } }] }
}

const people = [
  { name: 'Ann', age: 30, city: 'Oslo' },
  { name: 'Caroline of the long name', age: 25, city: 'Somewhere far away', tags: ['a', 'b'] },
]

test.each([
  [[1, 2, 3]],
  [['a.txt', 'b.txt']],
  [Array.from({ length: 40 }, (_, at) => at * 7)],
  [Array.from({ length: 14 }, (_, at) => `file-${at}.txt`)],
  [{ a: { b: { c: { d: 1 } } } }],
  [people],
  [new Point()],
  [new Map([['a', { b: 1 }]])],
  [new Set(['x'])],
  [["it's", 'a\nb', `"'`]],
  [[undefined, null, -0, Symbol('s'), new Date(0), /x/g]],
  [{ f() {}, Point, async g() {} }],
  [Array(200).fill(1)],
  [Object.create(null) as object],
])('value %# prints as in Node', (value) => {
  expect(inspect(value)).toBe(nodeInspect(value))
})

test('a cycle is labelled', () => {
  const own: { self?: unknown; list: unknown[] } = { list: [1] }
  own.self = own
  own.list.push(own.list)
  expect(inspect(own)).toBe(nodeInspect(own))
})

test('any value prints as in Node', () => {
  const value = fc.anything({
    maxDepth: 4,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    withSparseArray: true,
  })
  fc.assert(
    fc.property(value, (given) => {
      expect(inspect(given)).toBe(nodeInspect(given))
    }),
  )
})
