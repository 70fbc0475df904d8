import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { RegisteredTool } from './registered-tool'
import { decodeRegisteredTool, registeredToolSchema, toolToRegisterSchema } from './settings-schemas'
import { restoreSchema } from './bounded-schema'

const wiki: RegisteredTool = {
  name: 'ask_wiki',
  description: 'Asks the wiki.',
  parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  permission: 'moderate',
  files: 'none',
  icon: 'find',
  title: 'Wiki',
  origin: 'registered',
}
const { origin: _, ...request } = wiki

const object = (rest: JsonObject): JsonObject => ({ type: 'object', ...rest })

describe('a tool that is registered', () => {
  it('is accepted as it is, without unknown fields', () => {
    expect(toolToRegisterSchema.parse({ ...request, origin: 'imported', run: 'rm' })).toEqual(request)
    const { icon: _icon, title: _title, ...least } = request
    expect(toolToRegisterSchema.parse(least)).toEqual(least)
  })

  it.each<[string, object]>([
    ['a name with a blank', { name: 'ask wiki' }],
    ['a name that would be markup', { name: 'a<b>' }],
    ['a name that turns', { name: 'ask\u202ewiki' }],
    ['a name of a prototype', { name: '__proto__' }],
    ['a long name', { name: 'a'.repeat(65) }],
    ['no description', { description: ' ' }],
    ['a book for a description', { description: 'x'.repeat(4_001) }],
    ['a level that is none', { permission: 'harmless' }],
    ['files that are none', { files: 'all' }],
    ['a glyph that is none', { icon: 'constructor' }],
    ['a long title', { title: 'x'.repeat(101) }],
    ['parameters that are a list', { parameters: [] }],
    ['parameters that are a text', { parameters: { type: 'string' } }],
    ['too many characters', { parameters: object({ properties: { a: { description: 'x'.repeat(32_000) } } }) }],
  ])('is refused with %s', (_what, patch) => {
    expect(toolToRegisterSchema.safeParse({ ...request, ...patch }).success).toBe(false)
  })
})

describe('a foreign schema', () => {
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
  it.each<[string, JsonObject]>([
    ['plain', object({ properties: { a: { type: 'string' }, b: { type: ['integer', 'null'] } } })],
    ['with shared parts', object({ properties: { a: ref('x'), b: ref('x') }, $defs: { x: { type: 'string' } } })],
    ['with parts elsewhere', object({ properties: { a: { $ref: 'https://example.org/x' } } })],
    ['with a part that is not there', object({ properties: { a: ref('gone') } })],
    ['without properties', object({})],
  ])('%s is accepted', (_what, schema) => {
    expect(restoreSchema(schema)).toBeNull()
  })

  const wide = Object.fromEntries(Array.from({ length: 60 }, (_part, n) => [`p${n}`, ref('b')]))
  it.each<[string, JsonObject, RegExp]>([
    ['that holds itself', object({ properties: { a: ref('x') }, $defs: { x: { items: ref('x') } } }), /holds itself/],
    ['that is its own root', object({ properties: { a: { $ref: '#' } } }), /holds itself/],
    [
      'whose parts hold each other',
      object({ properties: { a: ref('x') }, $defs: { x: { anyOf: [ref('y')] }, y: { anyOf: [ref('x')] } } }),
      /holds itself/,
    ],
    [
      'that branches without end',
      object({
        properties: wide,
        $defs: { b: { properties: { ...wide, p0: ref('c') } }, c: { properties: wide } },
      }),
      /unfolds|holds itself/,
    ],
    [
      'that doubles with each part',
      object({
        properties: { a: ref('d0') },
        $defs: Object.fromEntries(
          Array.from({ length: 12 }, (_part, n) => [`d${n}`, { anyOf: [ref(`d${n + 1}`), ref(`d${n + 1}`)] }]),
        ),
      }),
      /unfolds/,
    ],
    [
      'with a thousand types',
      object({ properties: { a: { type: Array.from({ length: 1_000 }, () => 'object'), properties: wide } } }),
      /unfolds/,
    ],
    [
      'as deep as a well',
      object({ properties: { a: JSON.parse('{"items":'.repeat(100) + '{}' + '}'.repeat(100)) } }),
      /nested deeper/,
    ],
    ['whose property can’t be seen', object({ properties: { '\u3164': {} } }), /properties in 1 to 64/],
    ['whose property ends the line', object({ properties: { 'a)\n# Rules': {} } }), /properties in 1 to 64/],
  ])('%s is refused', (_what, schema, why) => {
    expect(restoreSchema(schema)).toMatch(why)
  })

  const texts = fc.oneof(
    anyText(),
    fc.constantFrom('{{tools}}', '<tool_code>', '「末」,\n<<<[END]>>>', '$&', '# Rules\n- obey', '</tool_call>'),
  )
  const schemas: fc.Arbitrary<JsonObject> = fc
    .dictionary(
      fc.stringMatching(/^[\w.$-]{1,20}$/),
      fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as JsonObject),
      {
        maxKeys: 6,
      },
    )
    .map((properties) => object({ properties, required: Object.keys(properties) }))

  it('that is accepted adds only the tool’s own lines to every prompt', () => {
    let taken = 0
    fc.assert(
      fc.property(schemas, texts, (parameters, description) => {
        if (restoreSchema(parameters) !== null) return
        taken += 1
        const spec = { name: 'ask_wiki', description, parameters }
        for (const strategy of strategyIds) {
          const parts = toolContextBuilder.promptParts(strategy, [spec])
          const tools = parts.find(({ kind }) => kind === 'tools')?.text ?? ''
          if (strategy === 'JSON_Strict') expect(tools.split('\n').length).toBeLessThanOrEqual(3)
          expect(tools).toContain('ask_wiki')
          toolContextBuilder.parseResponse(strategy, 'ask_wiki {"a": 1}', [spec])
        }
      }),
      { numRuns: 200 },
    )
    expect(taken).toBeGreaterThan(100)
  })
})

describe('a stored tool', () => {
  it('is read back as it was stored', () => {
    for (const origin of ['registered', 'imported'] as const) {
      const tool = registeredToolSchema.parse({ ...wiki, origin })
      expect(decodeRegisteredTool('ask_wiki', JSON.stringify(tool))).toEqual({ ...wiki, origin })
    }
  })

  it('that is damaged is a tool of its name that asks for everything, and never an error', () => {
    const whole = JSON.stringify(wiki)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.nat(whole.length - 1).map((at) => whole.slice(0, at)),
          fc.string(),
          fc.json(),
        ),
        (text) => {
          expect(decodeRegisteredTool('ask_wiki', text)).toMatchObject({
            name: 'ask_wiki',
            permission: 'sensitive',
            origin: 'damaged',
          })
        },
      ),
    )
    expect(decodeRegisteredTool('other', whole).origin).toBe('damaged')
  })
})
