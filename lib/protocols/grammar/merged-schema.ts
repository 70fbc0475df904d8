import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { resolveSchema } from '../arguments/schema'

const MAX_DEPTH = 8

/**
 * The schema with its `allOf` worked in: members of all, what each requires, the stricter of two bounds. `unsaid` is told of a
 * word that two of them say differently, and that was left out.
 */
export function mergedSchema(
  schema: JsonObject,
  root: JsonObject,
  unsaid: (keyword: string) => void,
  depth = 0,
): JsonObject {
  const list = schema['allOf']
  if (!Array.isArray(list) || depth > MAX_DEPTH) return schema
  const { allOf: _, ...own } = schema
  return list.filter(isJsonObject).reduce<JsonObject>((merged, part) => {
    const resolved = mergedSchema(resolveSchema(part, root), root, unsaid, depth + 1)
    return both(merged, resolved, unsaid)
  }, own)
}

function both(a: JsonObject, b: JsonObject, unsaid: (keyword: string) => void): JsonObject {
  const merged: Record<string, JsonValue> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = a[key]
    if (known === undefined) merged[key] = value
    else {
      const found = bothWords(key, known, value, unsaid)
      if (found === undefined) delete merged[key]
      else merged[key] = found
    }
  }
  return merged
}

const HIGHER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const LOWER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])
/** They say nothing of the value. */
const WORDS = new Set([
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  '$id',
  '$schema',
  '$defs',
  'definitions',
])

/** What two schemas ask together by one word; undefined: it is not said. */
function bothWords(key: string, a: JsonValue, b: JsonValue, unsaid: (keyword: string) => void): JsonValue | undefined {
  if (WORDS.has(key) || JSON.stringify(a) === JSON.stringify(b)) return a
  if (typeof a === 'number' && typeof b === 'number') {
    if (HIGHER.has(key)) return Math.max(a, b)
    if (LOWER.has(key)) return Math.min(a, b)
  }
  if (key === 'required' && Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])]
  if (key === 'properties' && isJsonObject(a) && isJsonObject(b)) {
    const shared = Object.keys(b).filter((one) => Object.hasOwn(a, one))
    const narrowed = shared.map((one) => [one, { allOf: [a[one] ?? {}, b[one] ?? {}] }] as const)
    return { ...a, ...b, ...Object.fromEntries(narrowed) }
  }
  if (key === 'enum' && Array.isArray(a) && Array.isArray(b)) {
    const texts = new Set(b.map((one) => JSON.stringify(one)))
    return a.filter((one) => texts.has(JSON.stringify(one)))
  }
  if (key === 'type') {
    if (a === 'number' && b === 'integer') return b
    if (a === 'integer' && b === 'number') return a
  }
  if (key === 'additionalProperties' && (a === false || b === false)) return false
  unsaid(key)
  return undefined
}
