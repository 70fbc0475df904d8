import { formatNumber } from '@/lib/base/text/locale'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/*
 * A schema that others wrote is printed into prompts and checked against every call, with its references followed. One
 * that contains itself, or whose references branch, could turn a few kilobytes into more than a server can print. So it
 * is unfolded here once, with a limit, before it is stored.
 */

const MAX_PARTS = 4_000
const MAX_DEPTH = 40
const PARAMETER = /^[\w.$-]{1,64}$/

/** Why a schema of arguments is refused, as the end of a sentence about it; null: it is accepted. */
export function restoreSchema(schema: JsonObject): string | null {
  if (schema['type'] !== 'object') return 'must have the type “object”'
  const { properties = {} } = schema
  if (!isJsonObject(properties)) return 'must name its properties in an object'
  if (!Object.keys(properties).every((key) => PARAMETER.test(key))) {
    return 'must name its properties in 1 to 64 letters, digits, dots, $, - and _'
  }
  const unfolding: Unfolding = { root: schema, parts: 0 }
  return unfold(schema, 1, [], unfolding)
}

interface Unfolding {
  readonly root: JsonObject
  parts: number
}

function unfold(value: JsonValue, times: number, open: readonly string[], unfolding: Unfolding): string | null {
  if (typeof value !== 'object' || value === null) return null
  if (open.length > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`
  unfolding.parts += times
  if (unfolding.parts > MAX_PARTS) return `unfolds to more than ${formatNumber(MAX_PARTS)} parts`
  const isList = Array.isArray(value)
  const ref = isList ? undefined : (value as JsonObject)['$ref']
  const types = isList ? undefined : (value as JsonObject)['type']
  // Each of several types is printed with everything that the schema contains.
  const each = times * (Array.isArray(types) ? Math.max(1, types.length) : 1)
  if (typeof ref === 'string') {
    if (open.includes(ref)) return `holds itself (${ref.slice(0, 60)})`
    const problem = unfold(targetOf(ref, unfolding.root), each, [...open, ref], unfolding)
    if (problem !== null) return problem
  }
  for (const child of Object.values(value)) {
    const problem = unfold(child, each, [...open, ''], unfolding)
    if (problem !== null) return problem
  }
  return null
}

function targetOf(ref: string, root: JsonObject): JsonValue {
  if (!ref.startsWith('#')) return null
  let target: JsonValue = root
  for (const step of ref.slice(1).split('/').slice(1)) {
    target = isJsonObject(target) && Object.hasOwn(target, step) ? (target[step] ?? null) : null
  }
  return target
}
