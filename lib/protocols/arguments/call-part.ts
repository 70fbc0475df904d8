import type { Breakage, Part } from './dialect'
import type { ObjectNode } from '../json-repair/node'
import type { JsonFailure, JsonReading } from '../json-repair/json-reading'
import type { RepairCode } from '../types/segment'
import { resolveCallObject } from './call-object'
import type { ToolIndex } from './tool-index'

/** How much of a reading was certain. */
export type ReadingDoubts = Pick<JsonReading, 'guessed' | 'crossed'>

export const CERTAIN: ReadingDoubts = { guessed: false, crossed: null }

export const brokenPart = (start: number, end: number, breakage: Breakage): Part => ({
  kind: 'broken',
  start,
  end,
  breakage,
})

/** Describes `[start, end)` by its JSON object: a call, or the reason why it is not one. */
export function callPart(
  node: ObjectNode,
  start: number,
  end: number,
  codes: Set<RepairCode>,
  tools: ToolIndex,
  { guessed, crossed }: ReadingDoubts,
): Part {
  const resolved = resolveCallObject(node, tools, codes, guessed, crossed)
  return resolved.ok ? { kind: 'call', start, end, call: resolved.call } : brokenPart(start, end, resolved.breakage)
}

/** Describes `[start, end)` whose JSON could not be read. `name` is the tool's name, where it is known. */
export function failedPart(start: number, end: number, failure: JsonFailure, name: string | undefined): Part {
  const { reason, at, detail } = failure
  return brokenPart(start, end, { reason, at: Math.min(at, end), detail, ...(name === undefined ? {} : { name }) })
}
