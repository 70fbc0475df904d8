import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { coerceArguments } from './arguments/coerce'
import { grammarOf } from './grammar-of'
import { createRandom } from './grammar/grammar'
import { strategies } from './registry'
import { readsAs, sampleOf } from './testing/grammar-samples'
import type { ToolSpec } from './types/tool-context-def'

/** String schemas, and other schemas: a parameter may accept either. */
const TEXTS: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'string', format: 'time' },
  { type: 'string', format: 'date' },
  { type: 'string', format: 'uuid' },
  { type: 'string', format: 'hostname' },
  { type: 'string', minLength: 2, maxLength: 5 },
  { type: 'string', enum: ['true', ']]>', '5'] },
  { const: 'fixed' },
]
const OTHERS: readonly JsonObject[] = [
  { type: 'number' },
  { type: 'integer', minimum: -3, maximum: 40 },
  { type: 'boolean' },
  { type: 'null' },
  { const: null },
  { type: 'object', additionalProperties: { type: 'string' } },
  { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
  { type: 'array', items: { type: 'string' } },
  { type: 'array', items: { type: 'integer' } },
  { anyOf: [{ type: 'null' }, { type: 'array', items: { type: 'number' } }] },
  { oneOf: [{ const: null }, { anyOf: [{ type: 'string' }, { type: 'boolean' }] }] },
]

const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

const tool = (name: string, parameters: JsonObject): ToolSpec => ({ name, description: 'Does it.', parameters })

/**
 * Every string schema combined with every other schema, in both orders: required, optional, in an object, in a list.
 */
function toolsOfUnions(): readonly (readonly ToolSpec[])[] {
  return TEXTS.map((text) =>
    OTHERS.flatMap((other, i) =>
      [{ anyOf: [text, other] }, { oneOf: [other, text] }].map((either, n) =>
        tool(
          `t${i}_${n}`,
          closed({ v: either, w: either, deep: closed({ v: either }), list: { type: 'array', items: either } }, ['v']),
        ),
      ),
    ),
  )
}

/** Schemas for arguments that are one of several objects. */
const TOPS: readonly JsonObject[] = [
  { anyOf: [closed({ a: { type: 'string' } }), closed({ b: { type: 'string' } }, ['b'])] },
  { anyOf: [closed({ a: { type: 'string' } }), closed({ a: { type: 'integer' }, b: { type: 'null' } })] },
  {
    oneOf: [closed({}), closed({ a: { anyOf: [{ const: null }, { type: 'number' }] }, b: { type: 'string' } }, ['a'])],
  },
  {
    oneOf: [
      { type: 'object', properties: { kind: { const: 'x' }, n: { type: 'integer' } }, required: ['kind'] },
      { type: 'object', properties: { kind: { const: 'y' }, n: { type: 'string' }, m: {} }, required: ['kind', 'n'] },
    ],
  },
]

const bound = strategies.filter((def) => grammarOf(def.id, [tool('t', closed({}))]) !== null)

function wrongIn(tools: readonly ToolSpec[], seed: number, each: number): { wrong: readonly string[]; calls: number } {
  const wrong: string[] = []
  let calls = 0
  for (const def of bound) {
    const grammar = grammarOf(def.id, tools)
    if (!grammar) continue
    const random = createRandom(seed)
    for (const part of ['call', 'whole'] as const)
      for (let i = 0; i < each; i++) {
        const way = { part, hostile: i % 2 === 1, piece: null }
        const sample = sampleOf(grammar, way, random)
        if (!sample) continue
        calls += sample.calls.length
        const found = readsAs(def, sample, tools, grammar, way)
        if (found !== null) wrong.push(`${def.id}: ${found} in ${sample.text}`)
      }
  }
  return { wrong, calls }
}

describe('a parameter that takes a string or another type', () => {
  it.each(toolsOfUnions().map((tools, i) => [JSON.stringify(TEXTS[i]), tools] as const))(
    'keeps the written value where the string schema is %s',
    (_, tools) => {
      const { wrong, calls } = wrongIn(tools, 31, 50)
      expect(wrong).toEqual([])
      expect(calls).toBeGreaterThan(200)
    },
  )
})

describe('arguments that are one of several objects', () => {
  it('are read as written', () => {
    const { wrong, calls } = wrongIn(
      TOPS.map((top, i) => tool(`top${i}`, top)),
      7,
      200,
    )
    expect(wrong).toEqual([])
    expect(calls).toBeGreaterThan(500)
  })

  it.each<[JsonObject, JsonObject]>([
    [{ anyOf: [closed({ a: {} }), closed({ b: {}, c: {} }, ['c'])] }, { b: 1 }],
    [{ oneOf: [closed({}), closed({ b: { type: 'integer' } })] }, { b: 'x' }],
    [
      { anyOf: [closed({ o: closed({ a: {} }) }), closed({ o: closed({ b: { type: 'boolean' } }) })] },
      { o: { b: 'maybe' } },
    ],
    [
      {
        anyOf: [
          closed({ l: { type: 'array', items: closed({ a: {} }) } }),
          closed({ l: { type: 'array', items: closed({ b: {} }) } }, ['x']),
        ],
      },
      { l: [{ b: 1 }] },
    ],
  ])('by %j never lose a key that another alternative knows: %j', (schema, args) => {
    const { value, issues } = coerceArguments(args, schema)
    expect(structuredClone(value)).toEqual(args)
    expect(issues).not.toEqual([])
  })

  it.each<[JsonValue, JsonObject]>([
    [
      'today',
      {
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    ],
    [
      'Anna',
      {
        oneOf: [
          { type: 'array', items: {} },
          { type: 'string', format: 'email' },
        ],
      },
    ],
    [
      'abc',
      {
        anyOf: [
          { type: 'string', pattern: '^[A-Z]+$' },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    ],
    [
      7,
      {
        anyOf: [
          { type: 'integer', maximum: 5 },
          { type: 'array', items: { type: 'integer' } },
        ],
      },
    ],
  ])('by %j never turn a value without the requested format into a list', (v, schema) => {
    const { value, issues } = coerceArguments({ v }, closed({ v: schema }))
    expect(structuredClone(value)).toEqual({ v })
    expect(issues.map(({ path }) => path)).toEqual(['v'])
  })

  it('lose keys that no alternative knows, with a note', () => {
    const schema = { anyOf: [closed({ a: { type: 'integer' } }, ['a']), closed({ b: {} }, ['b'])] }
    const { value, issues, coercions } = coerceArguments({ a: '5', junk: 1 }, schema)
    expect([structuredClone(value), issues]).toEqual([{ a: 5 }, []])
    expect(coercions.map(({ kind }) => kind)).toEqual(['to-integer', 'key-dropped'])
  })
})

describe('null for an optional parameter', () => {
  it.each<[JsonObject, boolean]>([
    [{ oneOf: [{ anyOf: [{ const: null }, { type: 'string' }] }, { type: 'string', enum: ['a'] }] }, true],
    [{ anyOf: [{ oneOf: [{ type: 'integer' }, { type: ['boolean', 'null'] }] }, { type: 'string' }] }, true],
    [{ anyOf: [{ $ref: '#/$defs/none' }, { type: 'string' }] }, true],
    [{ enum: ['a', null] }, true],
    [{}, true],
    [{ anyOf: [{ oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, { type: 'string' }] }, false],
    [{ anyOf: [{ $ref: '#/$defs/some' }, { type: 'string' }] }, false],
    [{ const: 'a' }, false],
    [{ enum: ['a', 'b'] }, false],
  ])('by %j is kept: %s', (schema, stays) => {
    const parameters = { ...closed({ v: schema }), $defs: { none: { type: 'null' }, some: { type: 'integer' } } }
    const { value, issues } = coerceArguments({ v: null }, parameters)
    expect([structuredClone(value), issues]).toEqual([stays ? { v: null } : {}, []])
  })
})
