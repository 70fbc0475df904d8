import { expect, it } from 'vitest'
import { checkValue } from './validate'

it.each([
  ['😀', 1],
  ['é', 1],
  ['e\u0301', 2],
  ['好茶', 2],
  ['👩‍👩‍👧', 5],
  ['\ud83d', 1],
  ['', 0],
])('counts %j as %i characters, as JSON Schema does', (text, count) => {
  const bounds = (minLength: number, maxLength: number) => checkValue(text, { type: 'string', minLength, maxLength })
  expect(bounds(count, count)).toEqual([])
  expect(bounds(count + 1, count + 1)).toHaveLength(1)
  if (count > 0) expect(bounds(0, count - 1)).toHaveLength(1)
})
