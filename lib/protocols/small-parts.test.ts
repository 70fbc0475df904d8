import messages from '@/lib/i18n/en/call-formats.json'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { createToolIndex } from './arguments/tool-index'
import { aCallOf } from './types/strategy-facts'
import { canonicalJson } from './types/canonical-json'
import { exampleArguments } from './prompt/example-arguments'
import { signatureOf } from './prompt/signature'
import { testTools } from './testing/tools'
import { estimateTokens } from './prompt/token-estimate'
import type { ToolSpec } from './types/tool-context-def'
import { writeJson } from './arguments/write-json'

describe('canonicalJson', () => {
  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [{ y: 1, x: null }], a: 'ü"' })).toBe('{"a":"ü\\"","b":[{"x":null,"y":1}]}')
  })
})

describe('aCallOf', () => {
  it.each([
    ['hermes', 'a Hermes call'],
    ['XML_Tag', 'an XML_Tag call'],
    ['JSON_Strict', 'a JSON_Strict call'],
    ['VCP', 'a VCP call'],
    ['Native', 'a Native call'],
    ['Angle', 'an Angle call'],
  ])('names %s as %s', (dialect, words) => {
    expect(aCallOf(dialect)).toBe(words)
  })
})

describe('estimateTokens', () => {
  it('counts pieces of a text, not its characters', () => {
    expect([estimateTokens(''), estimateTokens('abcdefgh'), estimateTokens('工具调用')]).toEqual([0, 1, 3])
  })
})

describe('nearest tools', () => {
  const tool = (name: string, sensitive = false) => ({ name, description: '', parameters: {}, sensitive })
  const names = ['read_file', 'write_file', 'list_directory', 'search_files', 'get_time', 'draw']
  const risky = ['delete_path', 'send_email', 'run_command', 'remove_user']
  const { nearest } = createToolIndex([...[...names, ...risky].map((name) => tool(name)), tool('python_eval', true)])

  it.each([
    ['readfil', 'read_file'],
    ['write', 'write_file'],
    ['ls_directory', 'list_directory'],
    ['get_file', 'read_file'],
    ['getFile', 'read_file'],
    ['deletepath', 'delete_path'],
    ['Delete-Paths', 'delete_path'],
    ['python_evl', 'python_eval'],
  ])('for %s are first %s', (name, wanted) => {
    expect(nearest(name)[0]).toBe(wanted)
  })

  it.each(['get_weather', 'get_news', 'translate', 'qqqqqqqqqqqqqqqqqqqqqqqq', 'play_music', 'do', ''])(
    'for %s are none',
    (name) => {
      expect(nearest(name)).toEqual([])
    },
  )

  it.each([
    'delete',
    'path',
    'delete_file',
    'select_path',
    'send',
    'email',
    'read_email',
    'run',
    'command',
    'python',
    'java_eval',
    'eval',
    'user',
    'remove',
  ])('for %s include no risky ones', (name) => {
    for (const one of [...risky, 'python_eval']) expect(nearest(name)).not.toContain(one)
  })

  it('are at most three', () => {
    const index = createToolIndex(['file_a', 'file_b', 'file_c', 'file_d'].map((name) => tool(name)))
    expect(index.nearest('file')).toEqual(['file_a', 'file_b', 'file_c'])
  })
})

describe('signatureOf', () => {
  it('writes parameters as types', () => {
    const draw = testTools.find((tool) => tool.name === 'draw')
    expect(draw && signatureOf(draw)).toBe(
      'draw(image_size?: integer, scale?: number, visible?: boolean, tags?: string[], points?: { x: number, y: number }[], style?: object, code?: integer | string, label?: string | null, mode?: "line" | "fill")',
    )
  })
})

describe('a signature line', () => {
  const spec = (properties: JsonObject, description = ''): ToolSpec => ({
    name: 'f',
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  })
  it('quotes a key that could be taken for something else', () => {
    expect(signatureOf(spec({ 'a, b?: x': { type: 'string' }, 'größe-2': { type: 'number' } }))).toBe(
      'f("a, b?: x": string, größe-2: number)',
    )
  })
  it('shows formats, ranges and defaults after the type', () => {
    expect(
      signatureOf(
        spec({
          day: { type: 'string', format: 'date' },
          code: { type: 'string', pattern: '^[A-Z]{3}$' },
          rows: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
          share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
          name: { type: 'string', minLength: 1, maxLength: 60 },
          tags: { type: 'array', items: { type: 'string', maxLength: 20 }, minItems: 2, uniqueItems: true },
          mode: { enum: ['a', 'b'], default: 'a' },
        }),
      ),
    ).toBe(
      'f(day: string (YYYY-MM-DD), code: string (pattern ^[A-Z]{3}$), rows: integer (1 to 200, default 50), ' +
        'share: number (above 0, below 1), name: string (at most 60 characters), ' +
        'tags: string[] (at least 2 items, no item twice, each at most 20 characters), mode: "a" | "b" (default "a"))',
    )
  })
  it('adds brackets only if a type would be ambiguous', () => {
    const member = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }
    expect(
      signatureOf(
        spec({
          empty: { type: 'object', properties: {} },
          members: { type: 'array', items: member },
          either: { type: 'array', items: { type: ['string', 'integer'] } },
          map: { type: 'object', additionalProperties: { type: 'number' } },
        }),
      ),
    ).toBe(
      'f(empty: object, members: { a?: string | null }[], either: (string | integer)[], map: { [name: string]: number })',
    )
  })
  it('terminates for a schema that contains itself', () => {
    const node: JsonObject = { anyOf: [{ $ref: '#/$defs/node' }, { type: 'array', items: { $ref: '#/$defs/node' } }] }
    const { parameters } = spec({ tree: { $ref: '#/$defs/node' } })
    const tool = { name: 'f', description: '', parameters: { ...parameters, $defs: { node } } }
    expect(signatureOf(tool)).toMatch(/^f\(tree: [^]{3,400}\)$/)
    expect(Object.keys(exampleArguments(tool))).toEqual(['tree'])
  })
  it('has example values that the schema allows', () => {
    const parameters = spec({
      low: { type: 'integer', minimum: 10, multipleOf: 4 },
      high: { type: 'number', maximum: -2 },
      more: { type: 'integer', exclusiveMinimum: 3 },
      short: { type: 'string', maxLength: 2 },
      long: { type: 'string', minLength: 6 },
      own: { type: 'string', examples: ['mine', 'other'] },
      standard: { type: 'integer', default: 7 },
      pair: { type: 'array', items: { type: 'integer' }, minItems: 2 },
      day: { type: 'string', format: 'date' },
      either: { anyOf: [{ $ref: '#/$defs/mode' }, { type: 'null' }] },
    })
    const withDefs = { ...parameters.parameters, $defs: { mode: { type: 'string', enum: ['line', 'fill'] } } }
    expect(exampleArguments({ ...parameters, parameters: withDefs })).toEqual({
      low: 12,
      high: -2,
      more: 4,
      short: 'te',
      long: 'textxx',
      own: 'mine',
      standard: 7,
      pair: [1, 1],
      day: '2026-01-31',
      either: 'line',
    })
  })
})

describe('writeJson', () => {
  it('writes large whole numbers and placeholder-like strings so that readers keep them', () => {
    expect(writeJson({ n: 1e17, t: '...', x: [1.5, null, true] })).toBe(
      '{"n":1e+17,"t":"\\u002e..","x":[1.5,null,true]}',
    )
  })
})

describe('messages of repairs', () => {
  it('has text for users, each different', () => {
    const words = Object.entries(messages).flatMap(([key, text]) => (key.startsWith('repair.') ? text : []))
    expect(new Set(words).size).toBe(words.length)
    for (const one of words) expect(one.length).toBeGreaterThan(10)
  })
})
