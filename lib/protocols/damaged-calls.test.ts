import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { everyFew } from '@/scripts/test/nightly'
import { inventedCall, liveCalls } from './testing/live-calls'
import { structureOf, damagesAt } from './testing/damages'
import { toolContextBuilder } from './tool-context-builder'
import type { StrategyId, ToolSpec } from './types/tool-context-def'

/*
 * Calls whose names, parameters and values themselves consist of structural characters, or several calls in a row:
 * every character is lost, doubled and replaced by every other one.
 */

const spec = (name: string, properties: JsonObject): ToolSpec => ({
  name,
  description: '',
  parameters: { type: 'object', properties, additionalProperties: false },
})
const text = { type: 'string' }
const inner = { type: 'object', properties: { command: text, 'x"y': text }, additionalProperties: false }

const tools: readonly ToolSpec[] = [
  spec('odd', { title: text, 'x"y': text, '「始」': inner, 参数: text, 'a b.c$': text, 'x\ny': text }),
  spec('name', {
    value: { type: 'object' },
    list: { type: 'array' },
    id: text,
    function: text,
    tool_name: { type: 'boolean' },
    flag: text,
  }),
  spec('long', {
    deep: { type: 'object' },
    ...Object.fromEntries([64, 65, 100, 250].map((n) => ['k'.repeat(n), text])),
  }),
  spec('plain', { content: text, value: text }),
]

const rows: readonly { readonly name: string; readonly arguments: JsonObject }[][] = [
  [{ name: 'odd', arguments: { title: 'tea', 'x"y': 'a b', '「始」': { command: 'é', 'x"y': 'path' }, 参数: 'x' } }],
  [{ name: 'odd', arguments: { title: '', 'a b.c$': 'tea', 'x\ny': 'path' } }],
  [
    { name: 'name', arguments: { list: [], value: {}, id: 'tea' } },
    { name: 'name', arguments: { list: [{}, { a: true }], function: 'path', tool_name: true } },
  ],
  // A key longer than usual names, after lists and objects that a doubled bracket may close too early.
  ...[64, 65, 100, 250].map((n) => [
    { name: 'long', arguments: { deep: { list: ['a b'] }, ['k'.repeat(n)]: 'tea' } },
    { name: 'plain', arguments: { content: 'one', value: 'path' } },
  ]),
  [{ name: 'name', arguments: { value: { command: '', path: 'tea' }, flag: 'a' } }],
  [
    { name: 'plain', arguments: { content: 'one\ntwo', value: 'tea' } },
    { name: 'plain', arguments: { content: 'three\nfour', value: 'path' } },
  ],
]

const strategies: readonly StrategyId[] = ['JSON_Strict', 'XML_Tag', 'VCP', 'Tool_Action', 'JSON_Action']

describe.each(strategies)('%s: no damage makes a different call', (id) => {
  const def = toolContextBuilder.get(id)
  it.each(rows.map((calls, i) => ({ i, calls })))('row $i', ({ i, calls }) => {
    const whole = def.formatCalls(calls)
    const written = liveCalls(def, whole, tools)
    expect(written.map(({ name }) => name)).toEqual(calls.map(({ name }) => name))
    const wrong: string[] = []
    // On each change every fifth place, another one in each row.
    for (const place of everyFew(structureOf(id, whole), 5, i))
      for (const damage of damagesAt(id, whole, place)) {
        const invented = inventedCall(written, liveCalls(def, damage.text, tools))
        if (invented !== null) wrong.push(`${damage.what}: ${JSON.stringify(damage.text)} gave ${invented}`)
      }
    expect(wrong).toEqual([])
  })
})

it.each([
  [
    'VCP',
    '<<<[TOOL_REQUEST]>>>\n{"name>:"name","arguments":{"tool_name":"plain","arguments":""}}\n<<<[END_TOOL_REQUEST]>>>',
  ],
  ['VCP', '<<<[TOOL_REQUEST]>>>\n"name":"name","arguments":{"tool_name":"plain"}}\n<<<[END_TOOL_REQUEST]>>>'],
  ['XML_Tag', '<tool_code>\n{"name":{</tool_code>","arguments":{"flag":"x"}}\n</tool_code>'],
  ['XML_Tag', '<tool_code>\n{"name":"name","arguments":{"flag":true/}\n</tool_code>'],
  ['VCP', '<<<[TOOL_REQUEST]>>>\n{"name":"name","arguments":{"flag":null末}\n<<<[END_TOOL_REQUEST]>>>'],
] as const)('%s: the rest of a call is not a call: %s', (id, damaged) => {
  expect(liveCalls(toolContextBuilder.get(id), damaged, tools)).toEqual([])
})
