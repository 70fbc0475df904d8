import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { canonicalJson } from '../types/canonical-json'
import type { CallSegment } from '../types/segment'
import type { ToolContextDef, ToolSpec } from '../types/tool-context-def'

/** The calls of a reply that could run. */
export function liveCalls(def: ToolContextDef, text: string, tools: readonly ToolSpec[]): readonly CallSegment[] {
  const scanner = def.createScanner(tools)
  scanner.push(text)
  return scanner
    .end()
    .segments.filter((segment) => segment.kind === 'call')
    .filter((call) => call.standing === 'live' && call.problem === null)
}

const known = new WeakMap<CallSegment, string>()

/** Cached: the same calls are compared with those of many damaged texts. */
function say(call: CallSegment): string {
  const said = known.get(call) ?? `${call.name} ${canonicalJson(call.arguments)}`
  known.set(call, said)
  return said
}

/** The first live call that was not written, or not as often, with its repairs; null if there is none. */
export function inventedCall(written: readonly CallSegment[], live: readonly CallSegment[]): string | null {
  const left = written.map(say)
  for (const call of live) {
    const at = left.indexOf(say(call))
    if (at < 0) return `${say(call)} (${call.repairs.join(', ')})`
    left.splice(at, 1)
  }
  return null
}

/**
 * The first live call that no written one could have become by one wrong character: of another name, or with a value
 * that differs in more than a few characters of one text. Keys may be damaged, and then be left out. Null: none.
 */
export function strangeCall(written: readonly CallSegment[], live: readonly CallSegment[]): string | null {
  const strange = live.find(
    (call) => !written.some((one) => one.name === call.name && couldBe(one.arguments, call.arguments)),
  )
  return strange ? `${say(strange)} (${strange.repairs.join(', ')})` : null
}

function couldBe(written: JsonValue, live: JsonValue): boolean {
  if (Array.isArray(written) && Array.isArray(live))
    return written.length === live.length && written.every((one, i) => couldBe(one, live[i] ?? null))
  if (isJsonObject(written) && isJsonObject(live))
    return Object.entries(live).every(([key, value]) =>
      Object.entries(written).some(([one, was]) => (one === key || isNear(one, key, 1)) && couldBe(was, value)),
    )
  return isNear(textOf(written), textOf(live), 2)
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : canonicalJson(value))

/** Whether two texts differ in a stretch of at most `most` characters. */
function isNear(a: string, b: string, most: number): boolean {
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return Math.max(a.length, b.length) - start - end <= most
}
