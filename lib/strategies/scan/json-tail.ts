import type { Part, ReadCall, ReadContext } from '../dialect'
import type { RepairCode } from '../segment'
import { findJsonEnd } from './json-end'
import type { Source } from './source'

/** Closing brackets too many belong to the last call. */
export function absorbBrackets(source: Source, parts: Part[]): void {
  const last = parts.at(-1)
  if (!last) return
  const end = last.end
  let i = source.skipSpace(end)
  while (source.at(i) === 0x7d || source.at(i) === 0x5d) {
    last.end = i + 1
    i = source.skipSpace(i + 1)
  }
  if (last.end > end && last.kind === 'call')
    parts[parts.length - 1] = { ...last, call: withRepair(last.call, 'extra-bracket') }
}

/** Where a broken JSON call ends: with its value if that can be told, else with the fence, a blank line, the text. */
export function brokenEnd(source: Source, start: number, at: number, cut: boolean, context: ReadContext): number {
  if (source.text.length <= at) return Math.min(at, source.text.length)
  if (cut) return at
  const end = findJsonEnd(source, start)
  for (let i = at; ; i++) {
    if (end !== null && end >= at && i >= end) return end
    const unit = source.at(i)
    if (unit < 0) return i
    if (context.isFenceEnd(i)) return i
    if (unit === 0x0a && source.at(source.skipBlanks(i + 1)) === 0x0a) return i
  }
}

export const withRepair = (call: ReadCall, code: RepairCode): ReadCall =>
  call.repairs.includes(code) ? call : { ...call, repairs: [...call.repairs, code] }
