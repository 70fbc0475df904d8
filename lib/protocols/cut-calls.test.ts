import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { strategies } from './registry'
import { liveCalls } from './testing/live-calls'
import type { ToolSpec } from './types/tool-context-def'

/*
 * A call that begins and never ends, followed by a whole call. Whatever the tool's schema, the first call may run only
 * if it was complete.
 */

const tool = (name: string, properties: JsonObject, required: readonly string[] = []): ToolSpec => ({
  name,
  description: 'Does it.',
  parameters: { type: 'object', properties, required: [...required], additionalProperties: false },
})
const text = { type: 'string' }
const steps = { type: 'array', items: { type: 'object', properties: { what: text, of: { type: 'object' } } } }

const CALLS: readonly (readonly [string, ToolSpec, Readonly<Record<string, JsonValue>>])[] = [
  ['no parameters', tool('ping', {}), {}],
  ['optional ones', tool('find', { text, limit: { type: 'integer' } }), { text: 'a', limit: 3 }],
  [
    'a required one and an optional one',
    tool('write', { path: text, mode: text }, ['path']),
    { path: '/a', mode: 'x' },
  ],
  [
    'nested ones',
    tool('plan', { steps, note: text }),
    { steps: [{ what: 'a', of: { b: 1 } }, { what: 'c' }], note: 'n' },
  ],
  [
    'many of them',
    tool('all', Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i}`, { type: 'integer' }]))),
    Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i}`, i])),
  ],
]

describe.each(strategies.filter(({ callsBy }) => callsBy === 'model'))('a call of $id that is cut off', (def) => {
  it.each(CALLS)('with %s never runs with partial arguments', (_, spec, args) => {
    const whole = def.formatCalls([{ name: spec.name, arguments: args }])
    const other = tool('other', { path: text }, ['path'])
    const behind = def.formatCalls([{ name: 'other', arguments: { path: '/b' } }])
    const tools = [spec, other]
    for (let end = 1; end < whole.length; end++) {
      const cut = whole.slice(0, end)
      for (const after of ['', `\n\n${behind}`, `\n</think>\n\n${behind}`, '\n\nIt is done.\n']) {
        const live = liveCalls(def, cut + after, tools).filter(({ name }) => name === spec.name)
        // Only brackets may be missing; then the call runs with everything that was written.
        for (const call of live) {
          expect([cut + after, /[,{[:，]\s*$/.test(cut)]).toEqual([cut + after, false])
          for (const [key, value] of Object.entries(call.arguments)) {
            const all = Object.hasOwn(args, key) ? args[key] : undefined
            if (typeof value !== 'object') expect([cut + after, value]).toEqual([cut + after, all])
          }
        }
      }
    }
  })
})
