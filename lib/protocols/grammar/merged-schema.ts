import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { resolveSchema, propertiesOf } from '../arguments/schema'
import type { ToolSpec } from '../types/tool-context-def'

const MAX_DEPTH = 8

/**
 * The schema with its `allOf` merged in: the members of all schemas, everything that each requires, and the stricter of
 * two bounds. Calls `unsaid` with each keyword that was dropped because two schemas conflict in it.
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
/** Annotations: they do not constrain the value. */
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

/** What two schemas together require by one keyword; undefined if that can't be expressed. */
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

/**
 * The parameters of a tool as a part of a larger schema: objects accept only the keys that the reader keeps, and local
 * references (`#/…`) point below `place`.
 */
export function toolSchema(
  { parameters }: ToolSpec,
  place: string,
): { readonly schema: JsonObject; readonly refers: boolean } {
  let refers = false
  const copied = (value: JsonValue, isSchema: boolean): JsonValue => {
    if (Array.isArray(value)) return value.map((one) => copied(one, isSchema))
    if (!isJsonObject(value)) return value
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, child]): [string, JsonValue] => {
        if (isSchema && key === '$ref' && typeof child === 'string' && child.startsWith('#/')) {
          refers = true
          return [key, `${place}${child.slice(1)}`]
        }
        if (isSchema && VALUES.has(key)) return [key, child]
        // The keys of these keywords are names, and their values are schemas.
        return [key, isSchema && NAMED.has(key) ? namedSchemas(child) : copied(child, true)]
      }),
    )
    const closes = isSchema && propertiesOf(value) !== null && value['additionalProperties'] === undefined
    return closes && value['anyOf'] === undefined && value['oneOf'] === undefined && value['allOf'] === undefined
      ? { ...copy, additionalProperties: false }
      : copy
  }
  const namedSchemas = (value: JsonValue): JsonValue =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, child]): [string, JsonValue] => [key, copied(child, true)]))
      : value
  const schema = copied(parameters, true)
  const object = isJsonObject(schema) ? schema : {}
  const typed = resolveSchema(parameters, parameters)['type'] === undefined ? { type: 'object', ...object } : object
  return { schema: typed, refers }
}

const NAMED = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'])
/** Keywords whose values are data, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'examples', 'required'])
