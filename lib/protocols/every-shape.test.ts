import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { strategies } from './registry'
import { inventedCall, liveCalls } from './testing/live-calls'
import { twentyTools } from './testing/twenty-tools'
import { structureOf, damagesAt } from './testing/damages'
import type { CallToWrite, ToolSpec } from './types/tool-context-def'

/*
 * One tool among many with a single required parameter; its objects and lists of objects have optional keys too. Tests
 * every shape that its call may have, one by one, and damaged versions of some.
 */

const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})
const text: JsonObject = { type: 'string' }
const stop = object({ name: text, nights: { type: 'integer' } }, ['name'])
const rest = object({ from: text, until: object({ hour: { type: 'integer' }, zone: text }, []) }, [])

const trip: ToolSpec = {
  name: 'plan_trip',
  description: '',
  parameters: object(
    {
      to: text,
      note: text,
      days: { type: 'integer' },
      isFixed: { type: 'boolean' },
      by: { type: 'string', enum: ['train', 'boat'] },
      stops: { type: 'array', items: stop },
      rest,
    },
    ['to'],
  ),
}
const tools = [...twentyTools, trip]

/** The values to try for each parameter. */
const SAID: Readonly<Record<string, readonly JsonValue[]>> = {
  note: ['', 'a "b"\n<c>'],
  days: [0],
  isFixed: [false],
  by: ['boat'],
  stops: [[], [{ name: '' }], [{ name: 'x', nights: 2 }, { name: 'y' }]],
  rest: [{}, { from: 'x' }, { until: {} }, { from: '', until: { hour: 3 } }, { until: { hour: 0, zone: 'z' } }],
}

/** With and without each parameter, and with each value. */
const everyShape = (): readonly JsonObject[] =>
  Object.entries(SAID).reduce<readonly JsonObject[]>(
    (all, [key, values]) => all.flatMap((one) => [one, ...values.map((value) => ({ ...one, [key]: value }))]),
    [{ to: 'Rome' }],
  )

const callOf = (args: JsonObject): CallToWrite => ({ name: trip.name, arguments: args })

describe.each(strategies)('$id', (def) => {
  it('reads every shape of a call as written, among many tools', () => {
    const shapes = everyShape()
    expect(shapes.length).toBe(3 * 2 * 2 * 2 * 4 * 6)
    for (const args of shapes) {
      const live = liveCalls(def, def.formatCalls([callOf(args)]), tools)
      expect(live.map((call) => [call.name, call.arguments])).toEqual([[trip.name, args]])
    }
  })

  it('reads several calls of different tools in a row, each with its own arguments', () => {
    const calls = [
      callOf({ to: 'Rome' }),
      { name: 'read_file', arguments: { path: '/a', limit: 3 } },
      callOf({ to: 'Bari', rest: { until: {} }, stops: [{ name: 'x' }] }),
      { name: 'read_file', arguments: { path: '/b' } },
    ]
    const live = liveCalls(def, def.formatCalls(calls), tools)
    expect(live.map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual(calls)
  })

  it.each([
    [[callOf({ to: 'Rome', days: 3, stops: [{ name: 'x', nights: 2 }], rest: { until: { hour: 1 } } })]],
    [[callOf({ to: 'Rome', isFixed: true, by: 'boat' }), { name: 'read_file', arguments: { path: '/a', limit: 3 } }]],
  ])('never reads a different call if a character is lost, doubled or changed', (calls) => {
    const whole = def.formatCalls(calls)
    const written = liveCalls(def, whole, tools)
    expect(written.length).toBe(calls.length)
    const wrong: string[] = []
    for (const place of structureOf(def.id, whole))
      for (const [n, damage] of damagesAt(def.id, whole, place).entries()) {
        // Lost and doubled characters everywhere; one in four of the other damages.
        if (n > 1 && (n + place) % 4 !== 0) continue
        const invented = inventedCall(written, liveCalls(def, damage.text, tools))
        if (invented !== null) wrong.push(`${damage.what}: ${JSON.stringify(damage.text)} gave ${invented}`)
      }
    expect(wrong).toEqual([])
  })
})
