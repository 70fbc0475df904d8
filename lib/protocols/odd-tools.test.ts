import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { everyFew } from '@/scripts/test/nightly'
import { grammarOf } from './grammar-of'
import { createRandom } from './grammar/grammar'
import { walk } from './testing/walk-grammar'
import { strategies } from './registry'
import { readsAs } from './testing/grammar-samples'
import { inventedCall, liveCalls } from './testing/live-calls'
import { callForms } from './testing/calls-to-damage'
import { structureOf, damagesAt } from './testing/damages'
import type { ToolSpec } from './types/tool-context-def'

const toolWith = (properties: JsonObject, required: readonly string[]): ToolSpec => ({
  name: 'odd',
  description: 'Does it.',
  parameters: { type: 'object', properties, required: [...required] },
})

describe.each(strategies)('$id, with parameters that differ only in punctuation', (def) => {
  const values = ['', 'x', '[', '5', ' '] as const
  const others: readonly JsonObject[] = [
    { type: 'array', items: { type: 'string' } },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object' },
  ]

  it.each(['a_', 'A', '-a'])('gives %s its own value, whatever the type of the other', (key) => {
    for (const other of others) {
      // In either order in the schema.
      for (const properties of [
        { a: other, [key]: { type: 'string' } },
        { [key]: { type: 'string' }, a: other },
      ]) {
        const tools = [toolWith(properties, [key])]
        for (const value of values) {
          const text = def.formatCalls([{ name: 'odd', arguments: { [key]: value } }])
          const read = liveCalls(def, text, tools).map(({ arguments: args, problem }) => ({
            args: { ...args },
            problem,
          }))
          expect([text, read]).toEqual([text, [{ args: { [key]: value }, problem: null }]])
        }
      }
    }
  })
})

describe.each(strategies)('$id, with a damaged name of an optional parameter', (def) => {
  const tools = [
    toolWith(
      {
        path: { type: 'string' },
        content: { type: 'string' },
        limit: { type: 'integer' },
        to: { type: 'string' },
        time_zone: { type: 'string' },
        options: { type: 'object', properties: { depth: { type: 'integer' }, follow: { type: 'boolean' } } },
      },
      ['path'],
    ),
  ]
  const read = (args: JsonObject) => {
    const scanner = def.createScanner(tools)
    scanner.push(def.formatCalls([{ name: 'odd', arguments: args }]))
    const calls = scanner.end().segments.filter((segment) => segment.kind === 'call')
    expect(calls).toMatchObject([{ standing: 'live' }])
    return calls[0]
  }

  it.each([
    ['content', 'contnet', 'x'],
    ['content', 'contents', 'x'],
    ['content', 'cotent', 'x'],
    ['content', 'konnent', 'x'],
    ['limit', 'limmit', 3],
    ['limit', 'lmiit', 3],
    ['limit', 'limits', 3],
    ['time_zone', 'timezon', 'x'],
    ['time_zone', 'TimeZonee', 'x'],
  ])('says what it may mean, and does not run without it: %s as %s', (name, key, value) => {
    const problem = read({ path: '/a', [key]: value })?.problem
    expect(problem).toMatchObject({ code: 'invalid-arguments', issues: [{ path: key }] })
    expect(JSON.stringify(problem)).toContain(`Did you mean ${name}`)
  })

  it('says it of an inner object too', () => {
    const problem = read({ path: '/a', options: { dpeth: 2, follow: true } })?.problem
    expect(problem).toMatchObject({ code: 'invalid-arguments', issues: [{ path: 'options.dpeth' }] })
  })

  it.each([
    ['reason', 'I need it'],
    ['ot', 'x'],
    ['pathh', '/b'],
    ['lamp', 3],
  ])('still drops a key that resembles no parameter that is missing, with a note: %s', (key, value) => {
    expect(read({ path: '/a', [key]: value })).toMatchObject({
      arguments: { path: '/a' },
      problem: null,
      coercions: [{ kind: 'key-dropped', key }],
    })
  })

  it.each([
    ['timeZone', 'time_zone'],
    ['TIME-ZONE', 'time_zone'],
  ])('maps a key that differs only in case or separators: %s', (key, name) => {
    expect(read({ path: '/a', [key]: 'x' })).toMatchObject({ arguments: { path: '/a', [name]: 'x' }, problem: null })
  })

  it('drops a damaged copy of a parameter that is present', () => {
    expect(read({ path: '/a', content: 'x', contnet: 'y' })).toMatchObject({
      arguments: { path: '/a', content: 'x' },
      problem: null,
    })
  })
})

describe.each(strategies.filter(({ id }) => id !== 'Native'))('the grammar of $id', (def) => {
  const readAll = (tools: readonly ToolSpec[], part: 'call' | 'reply', words: readonly string[] = []) => {
    const grammar = grammarOf(def.id, tools)
    if (!grammar) throw new Error('no grammar')
    const random = createRandom(5)
    let said = 0
    for (let i = 0; i < 400; i++) {
      const sample = walk(grammar[part], random, words.length > 0 ? { words } : {})
      said += sample.calls.length
      const way = { part, hostile: false, piece: null }
      expect([sample.text, readsAs(def, sample, tools, grammar, way)]).toEqual([sample.text, null])
    }
    return said
  }

  it('writes no value with a required key that is never read, if another value is possible', () => {
    const shy = { type: 'object', properties: { constructor: { const: true } }, required: ['constructor'] }
    const tools = [toolWith({ one: { anyOf: [{ type: 'number' }, shy] }, two: { oneOf: [shy, { type: 'null' }] } }, [])]
    expect(readAll(tools, 'call')).toBeGreaterThan(300)
  })

  it.each(['maid', 'ink', 'Vref'])(
    'writes a parameter that servers reserve, also in a tool with alternatives: %s',
    (key) => {
      const one = {
        type: 'object',
        properties: { [key]: { type: 'boolean' } },
        required: [key],
        additionalProperties: false,
      }
      const shy = { type: 'object', properties: { constructor: { const: true } }, required: ['constructor'] }
      const told = [one, { anyOf: [shy, one] }, { oneOf: [one, { ...one, required: [] }] }]
      for (const parameters of told)
        expect(readAll([{ name: 'make', description: 'Does it.', parameters }], 'call')).toBeGreaterThan(300)
    },
  )

  it('continues after a quotation as the reader does, whatever is open in it', () => {
    const tools = [toolWith({ path: { type: 'string' } }, ['path'])]
    expect(readAll(tools, 'reply', ['> [\n', '> {\n', '> see [\n\n', '\n> [', 'so', ' [', '\n\n'])).toBeGreaterThan(15)
  })
})

describe.each(strategies)('$id, with a tool whose arguments are one of several objects', (def) => {
  const branch = (key: string): JsonObject => ({
    type: 'object',
    properties: { [key]: { type: 'string' }, text: { type: 'string' } },
    required: [key],
  })
  const parameters = { anyOf: [branch('path'), branch('id')] }
  const tools: readonly ToolSpec[] = [{ name: 'odd', description: 'Does it.', parameters }]

  it('never reads a different call if a character is lost, doubled or changed', () => {
    const args = { path: '/tmp/a "b" c', text: 'so\n"it" is' }
    let damages = 0
    const attributes =
      '<tool_action name="odd">\n<param name="path" value="/tmp/a b" />\n<param name="text" value="so " />\n</tool_action>'
    const texts = callForms(def).map((write) => write([{ name: 'odd', arguments: args }]))
    for (const text of def.id === 'Tool_Action' ? [...texts, attributes] : texts) {
      const written = liveCalls(def, text, tools)
      for (const place of everyFew(structureOf(def.id, text), 4))
        for (const damage of damagesAt(def.id, text, place)) {
          damages++
          expect([damage.text, inventedCall(written, liveCalls(def, damage.text, tools))]).toEqual([damage.text, null])
        }
    }
    expect(damages).toBeGreaterThan(def.id === 'Native' ? -1 : 25)
  })
})
