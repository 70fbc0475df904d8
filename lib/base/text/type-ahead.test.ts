import { expect, test } from 'vitest'
import { typeAhead } from './type-ahead'

const names = ['Open', 'Rename', 'Move to…', 'Download', 'Duplicate', 'Delete']

test('goes to the next name with that letter, round the end', () => {
  expect(typeAhead(names, -1, 'd')).toBe(3)
  expect(typeAhead(names, 3, 'd')).toBe(4)
  expect(typeAhead(names, 5, 'D')).toBe(3)
})

test('stays while a longer word still fits, and continues where it does not', () => {
  expect(typeAhead(names, 3, 'do')).toBe(3)
  expect(typeAhead(names, 3, 'de')).toBe(5)
  expect(typeAhead(names, 4, 'ddd')).toBe(5)
})

test('finds nothing where nothing begins so', () => {
  expect(typeAhead(names, 2, 'x')).toBe(-1)
  expect(typeAhead([], -1, 'd')).toBe(-1)
})
