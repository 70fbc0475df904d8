import { expect, test } from 'vitest'
import ownGetter, { ownMember, plainRow } from './own-member'

test('reads only a value’s own members, and no functions', () => {
  expect(ownMember({ a: 1 }, 'a')).toBe(1)
  expect(ownMember(['x'], 0)).toBe('x')
  expect(ownMember('text', 'length')).toBe(4)
  expect(ownMember(new Float64Array(3), 'length')).toBe(3)
  for (const value of [{}, [], '', 1, true, new Date(0), /x/, () => 1, Object.create({ inherited: 1 })]) {
    for (const name of ['constructor', '__proto__', 'toString', 'valueOf', 'inherited', 'call', 'join', 'prototype']) {
      if (typeof value === 'function' && name === 'prototype') continue
      expect(ownMember(value, name)).toBeUndefined()
    }
  }
  expect(ownMember({ call: () => 1 }, 'call')).toBeUndefined()
  expect(() => ownMember(null, 'a')).toThrow('There is no a of null.')
})

test('reads a field along its path', () => {
  expect(ownGetter(['a'])({ a: 1 })).toBe(1)
  expect(ownGetter(['a', 'b', '0'])({ a: { b: ['deep'] } })).toBe('deep')
  expect(() => ownGetter(['constructor', 'constructor'])({})).toThrow('of undefined')
})

test('a row is an object of fields, or is wrapped in one', () => {
  const row = { a: 1 }
  expect(plainRow(row)).toBe(row)
  for (const value of [1, 'x', null, undefined, [0], new Date(0), new Map(), () => 1]) {
    expect(plainRow(value)).toEqual({ data: value })
  }
})
