import { expect, it } from 'vitest'
import fc from 'fast-check'
import { replaceEqualDeep, replaceEqualRows } from './replace-equal'

it('returns the old value wherever both are equal, and the new value elsewhere', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (old, next) => {
      expect(replaceEqualDeep(old, next)).toEqual(next)
      expect(replaceEqualDeep(old, structuredClone(old))).toBe(old)
    }),
  )
})

it('keeps the parts that did not change', () => {
  const old = { settings: { model: 'a', tools: ['x'] }, title: 'One', list: [{ id: 1 }, { id: 2 }] }
  const next = structuredClone({ ...old, title: 'Two', list: [{ id: 1 }, { id: 3 }] })
  const kept = replaceEqualDeep(old, next)
  expect(kept).toEqual(next)
  expect(kept.settings).toBe(old.settings)
  expect(kept.list[0]).toBe(old.list[0])
})

it.each([
  [{ a: undefined }, {}],
  [{}, { a: undefined }],
  [[1], { 0: 1 }],
  [null, {}],
  [[1, 2], [1]],
  [{ a: undefined }, { b: undefined }],
])('distinguishes %j from %j', (old, next) => {
  expect(replaceEqualDeep<unknown>(old, next)).not.toBe(old)
})

it('returns the same map for the same rows, and one without the rows that were removed', () => {
  const rows = new Map([
    ['a', { n: 1 }],
    ['b', { n: 2 }],
  ])
  expect(replaceEqualRows(rows, structuredClone(rows))).toBe(rows)
  const fewer = replaceEqualRows(rows, [['b', { n: 2 }]])
  expect([...fewer.keys()]).toEqual(['b'])
  expect(fewer.get('b')).toBe(rows.get('b'))
  expect(replaceEqualRows(rows, [...rows, ['c', { n: 3 }]]).size).toBe(3)
})
