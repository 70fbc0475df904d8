import { expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { coerceArguments } from './coerce'
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

it.each<readonly [JsonValue, JsonObject, number]>([
  ['ABC', { type: 'string', pattern: '^[A-Z]{3}$' }, 0],
  ['abc', { type: 'string', pattern: '^[A-Z]{3}$' }, 1],
  // A pattern that may take exponential time is not run.
  ['a'.repeat(40), { type: 'string', pattern: '^(a+)+b$' }, 0],
  ['2026-13-01', { type: 'string', format: 'date' }, 1],
  ['2026-12-01', { type: 'string', format: 'date' }, 0],
  ['x', { type: 'string', format: 'of our own' }, 0],
  [[1, { a: 1 }, { a: 1 }], { type: 'array', uniqueItems: true }, 1],
  ['b', { not: { enum: ['a'] } }, 0],
  ['a', { not: { enum: ['a'] } }, 1],
])('checks %j against %j', (value, schema, issues) => {
  expect(checkValue(value, schema)).toHaveLength(issues)
})

it('counts allOf and prefixItems', () => {
  const schema: JsonObject = {
    allOf: [{ $ref: '#/$defs/base' }, { properties: { pair: { type: 'array', prefixItems: [{ type: 'integer' }] } } }],
    $defs: { base: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } },
  }
  expect(coerceArguments({ to: 'a', pair: ['5', 'x'] }, schema)).toMatchObject({
    issues: [],
    value: { pair: [5, 'x'] },
  })
  expect(coerceArguments({ pair: ['x'] }, schema).issues.map(({ path }) => path)).toEqual(['pair.0', 'to'])
})
