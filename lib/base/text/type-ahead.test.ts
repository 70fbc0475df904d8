import { expect, test } from 'vitest'
import { typeAhead } from './type-ahead'

const names = ['Open', 'Rename', 'Move to…', 'Download', 'Duplicate', 'Delete']

test('goes to the next name with that letter, and wraps around at the end', () => {
  expect(typeAhead(names, -1, 'd')).toBe(3)
  expect(typeAhead(names, 3, 'd')).toBe(4)
  expect(typeAhead(names, 5, 'D')).toBe(3)
})

test('stays while the longer prefix still fits, and moves on where it does not', () => {
  expect(typeAhead(names, 3, 'do')).toBe(3)
  expect(typeAhead(names, 3, 'de')).toBe(5)
  expect(typeAhead(names, 4, 'ddd')).toBe(5)
})

test('finds nothing if no name begins with the typed text', () => {
  expect(typeAhead(names, 2, 'x')).toBe(-1)
  expect(typeAhead([], -1, 'd')).toBe(-1)
})
