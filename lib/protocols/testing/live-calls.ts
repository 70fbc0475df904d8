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
