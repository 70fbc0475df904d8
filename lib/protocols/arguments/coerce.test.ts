import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { coerceArguments } from './coerce'

const run = (properties: JsonObject, args: JsonObject, extra: JsonObject = {}) => {
  const { value, issues, coercions } = coerceArguments(args, { type: 'object', properties, ...extra })
  return {
    value: structuredClone(value) as JsonValue,
    issues: issues.map((issue) => `${issue.path} ${issue.message}`.trim()),
    kinds: coercions.map((coercion) => `${coercion.path}:${coercion.kind}`),
  }
}

describe('coerceArguments', () => {
  it.each<[JsonObject, JsonValue, JsonValue, string[]]>([
    [{ type: 'integer' }, '42', 42, ['a:to-integer']],
    [{ type: 'number' }, ' 1.5 ', 1.5, ['a:to-number']],
    [{ type: 'boolean' }, 'True', true, ['a:to-boolean']],
    [{ type: 'string' }, 12, '12', ['a:to-string']],
    [{ type: 'array' }, '[1,2]', [1, 2], ['a:to-array']],
    [{ type: 'array' }, 'x', ['x'], ['a:to-array']],
    [{ type: 'object' }, '{"x":1}', { x: 1 }, ['a:to-object']],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, '007', '007', []],
    [{ type: ['integer', 'null'] }, 'null', null, ['a:to-null']],
    [{ type: ['integer', 'null'] }, '7', 7, ['a:to-integer']],
    [{ type: 'integer' }, '9007199254740993', '9007199254740993', ['a:big-integer-kept']],
    [{ type: 'array', items: { type: 'integer' } }, ['1', 2], [1, 2], ['a.0:to-integer']],
    [{}, '42', '42', []],
  ])('%j coerces %j to %j', (schema, given, wanted, kinds) => {
    expect(run({ a: schema }, { a: given })).toEqual({ value: { a: wanted }, issues: [], kinds })
  })

  it.each<[JsonObject, JsonValue, string]>([
    [{ type: 'integer' }, 'soon', 'a must be an integer, not a string'],
    [{ type: 'integer' }, 1.5, 'a must be an integer, not a number'],
    [{ type: 'boolean' }, 'yes', 'a must be a boolean, not a string'],
    [{ type: 'string' }, { x: 1 }, 'a must be a string, not an object'],
    [{ type: 'string', enum: ['x', 'y'] }, 'z', 'a must be one of "x", "y"'],
    [{ type: 'integer', minimum: 1 }, 0, 'a must be at least 1'],
    [{ anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'x', 'a must be integer or boolean'],
  ])('%j rejects %j', (schema, given, issue) => {
    expect(run({ a: schema }, { a: given }).issues).toEqual([issue])
  })

  it('maps a spelling variant and drops unknown keys, with a note for both', () => {
    expect(run({ image_size: { type: 'integer' } }, { ImageSize: 3, foo: 1 })).toEqual({
      value: { image_size: 3 },
      issues: [],
      kinds: ['ImageSize:key-mapped', 'foo:key-dropped'],
    })
  })

  it('keeps additional keys where the schema allows them', () => {
    expect(run({}, { x: 1 }, { additionalProperties: true }).value).toEqual({ x: 1 })
  })

  it('follows local references without looping on a cycle', () => {
    const schema = { $ref: '#/$defs/n' }
    expect(run({ a: schema }, { a: '5' }, { $defs: { n: { type: 'integer' } } }).value).toEqual({ a: 5 })
    expect(run({ a: schema }, { a: '5' }, { $defs: { n: { $ref: '#/$defs/n' } } }).value).toEqual({ a: '5' })
  })
})

describe('a parameter of the outer object written in an inner one', () => {
  const text = { type: 'string' }
  const list = { type: 'array', items: text }
  const body = { type: 'object', properties: { text, html: text }, additionalProperties: false }
  const parameters = { type: 'object', properties: { to: text, body, cc: list }, additionalProperties: false }

  it('is lifted if exactly one level knows it and lacks it', () => {
    const read = coerceArguments({ to: 'a', body: { text: 'hi', cc: ['b'] } }, parameters)
    expect(read.value).toEqual({ to: 'a', body: { text: 'hi' }, cc: ['b'] })
    expect(read.issues).toEqual([])
    expect(read.coercions).toMatchObject([{ kind: 'key-mapped', path: 'body.cc', to: 'cc' }])
  })

  it('makes the call invalid if its level is uncertain', () => {
    const read = coerceArguments({ to: 'a', cc: ['c'], body: { text: 'hi', cc: ['b'] } }, parameters)
    expect(read.issues).toMatchObject([{ path: 'body.cc' }])
  })

  it('is dropped with a note if no level knows it', () => {
    const read = coerceArguments({ to: 'a', body: { text: 'hi', bcc: ['b'] } }, parameters)
    expect(read.issues).toEqual([])
    expect(read.coercions).toMatchObject([{ kind: 'key-dropped' }])
  })
})

describe('a parameter of the outer object written in an alternative of an inner one', () => {
  const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
    type: 'object',
    properties,
    required: [...required],
    additionalProperties: false,
  })
  const text = { type: 'string' }
  const body = object({ text, html: text }, ['text'])
  const file = object({ file: text }, ['file'])
  const tool = (inner: JsonObject) =>
    object({ to: text, body: inner, cc: { type: 'array', items: text } }, ['to', 'body'])

  it.each<JsonObject>([
    body,
    { allOf: [body] },
    { anyOf: [body, file] },
    { oneOf: [file, body] },
    { anyOf: [{ type: 'null' }, body] },
    { anyOf: [{ type: 'null' }, { oneOf: [file, body] }] },
  ])('is lifted out of %j', (inner) => {
    const { value, issues } = coerceArguments({ to: 'a', body: { text: 'hi', cc: ['b'] } }, tool(inner))
    expect(structuredClone(value)).toEqual({ to: 'a', body: { text: 'hi' }, cc: ['b'] })
    expect(issues).toEqual([])
    const twice = coerceArguments({ to: 'a', body: { text: 'hi', cc: ['b'] }, cc: ['c'] }, tool(inner))
    expect(twice.issues.map(({ path }) => path.split('.')[0])).toEqual(['body'])
  })
})
