import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { jsonSchemaOf } from './define-tool'

describe('the JSON Schema of a zod schema', () => {
  const schema = z.strictObject({
    path: z.string().check(z.minLength(1), z.maxLength(9), z.describe('a path')),
    mode: z.optional(z.enum(['fast', 'slow'])).check(z.describe('how')),
    share: z.number().check(z.gte(0), z.lte(1)),
    count: z.optional(z.int().check(z.gte(1), z.describe('how many'))),
    rows: z.array(z.strictObject({ deep: z.boolean() })).check(z.minLength(1), z.maxLength(3)),
    rest: z.optional(z.looseObject({})),
    any: z.optional(z.unknown()),
  })

  it('says the same as zod’s own', () => {
    const { $schema: _draft, ...own } = z.toJSONSchema(schema)
    const text = JSON.stringify(own, (_key, value: unknown) => (value === Number.MAX_SAFE_INTEGER ? undefined : value))
    expect(jsonSchemaOf(schema)).toEqual(JSON.parse(text))
  })

  it('writes its keys in one order, limits after the type, the description last', () => {
    expect(JSON.stringify(jsonSchemaOf(schema)['properties'])).toMatch(
      /^\{"path":\{"type":"string","minLength":1,"maxLength":9,"description":"a path"\}/,
    )
  })

  it.each([
    ['a pattern', z.string().check(z.regex(/a/)), 'string_format'],
    ['an open bound', z.number().check(z.gt(1)), 'greater_than'],
    ['a union', z.union([z.string(), z.number()]), 'union'],
    ['a format', z.url(), 'url'],
    ['a change on the way', z.string().check(z.trim()), 'overwrite'],
  ])('is refused if it can’t express %s: a model must be told what is checked', (_what, part, named) => {
    expect(() => jsonSchemaOf(z.strictObject({ part }))).toThrow(named)
  })
})
