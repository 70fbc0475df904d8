import type { JsonObject } from '@/lib/base/json'
import type { CallToWrite, ToolContextDef, ToolSpec } from '../types/tool-context-def'
import { groupsToDamage, toolsToDamage, callForms } from './calls-to-damage'
import type { TextToDamage } from './calls-to-damage'

/*
 * Calls as data: every call of `calls-to-damage.ts` again inside another tool's arguments: in a list, in an object, and
 * in a text that quotes the format itself. None of them may run as a separate call, whatever is damaged around it.
 */

const open: JsonObject = { type: 'object' }
const text: JsonObject = { type: 'string' }
const tool = (name: string, properties: JsonObject, required: readonly string[]): ToolSpec => ({
  name,
  description: 'Takes calls as data.',
  parameters: { type: 'object', properties, required: [...required], additionalProperties: false },
})

/** Tools whose arguments contain calls, and the tools of those calls. */
export const nestedTools: readonly ToolSpec[] = [
  tool('batch', { tool_calls: { type: 'array', items: open }, parallel: { type: 'boolean' } }, ['tool_calls']),
  tool('plan', { steps: { type: 'array', items: open }, goal: text }, ['steps']),
  tool('delegate', { call: open, to: text }, ['call']),
  ...toolsToDamage,
]

/** The keys under which models write the name and the arguments of a call. */
export const SPELLINGS: readonly (readonly [name: string, args: string])[] = [
  ['name', 'arguments'],
  ['tool', 'parameters'],
  ['tool_name', 'args'],
  ['function', 'input'],
  ['name', 'params'],
]

const call = (name: string, args: JsonObject): CallToWrite => ({ name, arguments: args })
const other = call('run', { command: 'make clean' })

/**
 * Calls of other tools whose arguments contain `calls` as objects, with the keys in `spelling`, and as texts of the
 * format.
 */
export function nest(
  def: ToolContextDef,
  calls: readonly CallToWrite[],
  [nameKey, argsKey]: readonly [string, string],
): readonly CallToWrite[] {
  const spelled = (one: CallToWrite): JsonObject => ({ [nameKey]: one.name, [argsKey]: one.arguments })
  const list = (calls.length > 1 ? calls : [...calls, other]).map(spelled)
  const [first = {}] = list
  const actions = list.map((one) => ({ action: 'tool_call', ...one }))
  const format = def.formatCalls(calls)
  return [
    call('batch', { tool_calls: list }),
    call('batch', { parallel: true, tool_calls: actions }),
    call('plan', { steps: list, goal: 'tea' }),
    call('plan', { steps: actions }),
    call('delegate', { call: first, to: 'anna' }),
    call('delegate', { call: { tool_calls: list } }),
    call('delegate', { to: 'anna', call: { steps: actions } }),
    call('write_file', { path: '/doc.md', content: format }),
    call('write_file', { path: '/doc.md', content: `# The format\n\n${format}\n\nThat is all.\n` }),
  ]
}

export const NESTED_FORMS = 9

/** One text with calls as data: `shape` counts groups, ways to nest, spellings, and ways to write, in this order. */
export function nestedText(def: ToolContextDef, shape: number): TextToDamage {
  const take = (count: number): number => {
    const taken = shape % count
    shape = Math.floor(shape / count)
    return taken
  }
  const calls = groupsToDamage[take(groupsToDamage.length)] ?? []
  const way = take(NESTED_FORMS)
  const spelling = SPELLINGS[take(SPELLINGS.length)] ?? ['name', 'arguments']
  const outer = nest(def, calls, spelling)[way] ?? other
  const ways = callForms(def)
  const write = ways[take(ways.length)] ?? ((some) => def.formatCalls(some))
  const all = [[outer], [outer, call('run', { command: 'make all' })], [call('get_time', {}), outer]][take(3)] ?? [
    outer,
  ]
  return { strategy: def.id, text: write(all), tools: nestedTools, calls: all }
}

/** The number of texts for a strategy. */
export const nestedShapes = (def: ToolContextDef): number =>
  groupsToDamage.length * NESTED_FORMS * SPELLINGS.length * callForms(def).length * 3
