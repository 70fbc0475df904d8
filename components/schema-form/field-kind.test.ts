import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { formFields, readJsonField, readNumber, withMember } from './field-kind'

const schema: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'absolute path' },
    content: { type: 'string' },
    offset: { type: 'integer', minimum: 1 },
    deep: { type: 'boolean' },
    mode: { enum: ['line', 'fill'] },
    tags: { type: 'array', items: { type: 'string' } },
    points: { type: 'array', items: { type: 'object' } },
    style: { $ref: '#/$defs/style' },
  },
  $defs: { style: { type: 'object' } },
  required: ['path'],
}

const kinds = (args: JsonObject) =>
  Object.fromEntries(formFields(schema, args).map(({ name, field }) => [name, field.kind]))

describe('formFields', () => {
  it('chooses a field by the schema', () => {
    expect(kinds({})).toEqual({
      path: 'text',
      content: 'text',
      offset: 'number',
      deep: 'boolean',
      mode: 'enum',
      tags: 'list',
      points: 'json',
      style: 'json',
    })
    expect(formFields(schema, {})[0]).toMatchObject({ name: 'path', required: true, description: 'absolute path' })
  })

  it('finds fields for every tool', () => {
    for (const tool of builtIn.list()) expect(formFields(tool.spec.parameters, {}).length).toBeGreaterThan(0)
  })

  it('uses a large field for long texts, by name or by value', () => {
    const lines = (args: JsonObject) =>
      formFields(schema, args).map(({ field }) => field.kind === 'text' && field.lines)
    expect(lines({}).slice(0, 2)).toEqual([false, true])
    expect(lines({ path: 'a\nb' })[0]).toBe(true)
  })

  it('shows a list of lists as JSON, so that it is not flattened', () => {
    expect(kinds({ tags: [['a']] })['tags']).toBe('json')
    expect(kinds({ tags: 'a' })['tags']).toBe('json')
  })
})

describe('typed text', () => {
  it.each([
    ['12', 12],
    ['-0.5', -0.5],
    ['1.', '1.'],
    ['', ''],
    ['abc', 'abc'],
    ['1e999', '1e999'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['12345678901234567890', '12345678901234567890'],
  ])('as a number: %s', (text, value) => {
    expect(readNumber(text)).toBe(value)
  })

  it('is never lost: every text is read back as typed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(`${readNumber(text) as string | number}`).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(readJsonField(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('keeps a member’s position, and removes it if it is undefined', () => {
    expect(Object.keys(withMember({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b'])
    expect(withMember({ a: 1 }, 'b', 2)).toEqual({ a: 1, b: 2 })
    expect(withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
  })
})
