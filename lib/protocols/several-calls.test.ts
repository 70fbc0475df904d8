import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { isNightly } from '@/scripts/test/nightly'
import { strategies } from './registry'
import { callForms } from './testing/calls-to-damage'
import { inventedCall, liveCalls } from './testing/live-calls'
import { structureOf, damagesAt } from './testing/damages'
import type { CallToWrite, ToolSpec } from './types/tool-context-def'

/* Several calls in one list or tag, some of them written twice, and values that are joined by a lost character. */

/**
 * Every position is lost and doubled; of the possible replacement characters one in four is tried, a different four
 * each time.
 */
const SHARE = 4
/** Every position in nightly runs, else every twelfth. */
const STEP = isNightly ? 1 : 12

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

const tools: readonly ToolSpec[] = [
  {
    name: 'odd.tool-name',
    description: '',
    parameters: object({ 'x-y': { type: 'string' }, note: { type: 'string' } }),
  },
  { name: '工具', description: '', parameters: object({ any: { type: 'array' }, more: { type: 'array', items: {} } }) },
  {
    name: 'plan',
    description: '',
    parameters: object(
      {
        steps: { type: 'array', items: object({ do: { type: 'string' }, with: { type: 'object' } }, ['do']) },
        flags: { type: 'array', items: { type: 'boolean' } },
        names: { type: 'array', items: { type: 'string' } },
      },
      ['steps'],
    ),
  },
]

const call = (name: string, args: JsonObject): CallToWrite => ({ name, arguments: args })
const odd = call('odd.tool-name', { 'x-y': 'it’s' })
const lists = call('工具', { any: [null, null], more: [true, 5, null, [7]] })
const nested = call('plan', {
  steps: [{ do: 'a', with: { b: {} } }, { do: 'c' }],
  flags: [true, false],
  names: ['null', 'a'],
})

const groups: readonly (readonly CallToWrite[])[] = [
  [odd, odd],
  [lists, odd, odd],
  [odd, nested, odd],
  [nested, nested, lists],
  [call('plan', { steps: [] }), call('odd.tool-name', {}), call('odd.tool-name', {})],
]

describe.each(strategies)('$id: several calls, one of them twice', (def) => {
  it('repeats no call and changes no values if a character is lost, doubled or replaced', () => {
    const wrong: string[] = []
    let damages = 0
    for (const calls of groups)
      for (const text of new Set(callForms(def).map((write) => write(calls)))) {
        const written = liveCalls(def, text, tools)
        for (const place of structureOf(def.id, text).filter((_, at) => at % STEP === 0))
          for (const [n, damage] of damagesAt(def.id, text, place).entries()) {
            if (n > 1 && (n + place) % SHARE !== 0) continue
            damages++
            const invented = inventedCall(written, liveCalls(def, damage.text, tools))
            if (invented !== null) wrong.push(`${damage.what} of ${JSON.stringify(damage.text)}: ${invented}`)
          }
      }
    expect(wrong).toEqual([])
    expect(damages).toBeGreaterThan(1000 / STEP)
  })
})
