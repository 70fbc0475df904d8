import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { editDistance } from '@/lib/base/text/nearest-path'
import type { Shape } from '../json-repair/json-reading'

const MAX_REFS = 8

/** Keys and tool names match regardless of case, `_`, `-` and blanks. */
export const normaliseKey = (key: string): string =>
  /^[a-z\d]*$/.test(key) ? key : key.toLowerCase().replaceAll(/[_\-\s]/g, '')

/**
 * The property that a written key means: an exact match, else the only property that differs just in case or
 * separators.
 */
export function propertyNamed(properties: JsonObject, key: string): string | null {
  if (Object.hasOwn(properties, key)) return key
  const wanted = normaliseKey(key)
  const found = Object.keys(properties).filter((candidate) => normaliseKey(candidate) === wanted)
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The schema itself, with local references (`#/$defs/x`) followed. */
export function resolveSchema(schema: JsonValue | undefined, root: JsonObject, depth = 0): JsonObject {
  let current = isJsonObject(schema) ? schema : {}
  for (let i = 0; i < MAX_REFS; i++) {
    const ref = current['$ref']
    if (typeof ref !== 'string' || !ref.startsWith('#/')) return withAllOf(current, root, depth)
    let target: JsonValue | undefined = root
    for (const step of ref.slice(2).split('/'))
      target = isJsonObject(target) && Object.hasOwn(target, step) ? target[step] : undefined
    current = isJsonObject(target) ? target : {}
  }
  return current
}

/** The schema merged with all members of its `allOf`. */
function withAllOf(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf) || depth > MAX_REFS) return schema
  const members = [own, ...allOf].map((member) => resolveSchema(member, root, depth + 1)).toReversed()
  const required = members.flatMap((member) => (Array.isArray(member['required']) ? member['required'] : []))
  const properties: JsonObject = Object.assign({}, ...members.map((member) => propertiesOf(member) ?? {}))
  const merged: JsonObject = Object.assign({}, ...members)
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  }
}

export function propertiesOf(schema: JsonObject): JsonObject | null {
  const properties = schema['properties']
  return isJsonObject(properties) ? properties : null
}

/** The alternatives of a schema: `anyOf`, `oneOf` or a list of types; otherwise the schema itself. */
export function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  const list = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(list)) return list.filter(isJsonObject)
  const type = schema['type']
  if (Array.isArray(type)) return type.map((one: JsonValue) => ({ ...schema, type: one }))
  return [schema]
}

/** Whether objects of this schema keep keys that it does not name. */
function takesAnyKey(schema: JsonObject): boolean {
  const additional = schema['additionalProperties']
  const isObject = schema['type'] === undefined || schema['type'] === 'object'
  return isObject && (propertiesOf(schema) === null || additional === true || isJsonObject(additional))
}

/** Those of the normalised keys that differ from the word in one character. */
export function nearKeys(keys: Iterable<string>, word: string): readonly string[] {
  const written = normaliseKey(word)
  return [...keys].filter((key) => key.length > 1 && key !== written && differsByOne(key, written))
}

function differsByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const rest = (text: string, isShorter: boolean) => text.slice(isShorter ? start : start + 1)
  return rest(a, a.length < b.length) === rest(b, b.length < a.length)
}

/** Shorter keys are too alike for a guess at two errors, or at any. */
const maxErrors = (length: number): number => (length < 3 ? 0 : length < 4 ? 1 : 2)

/**
 * Those of the properties that a key may be a damaged spelling of: it differs from them in one or two letters, or has
 * two neighbours swapped.
 */
export function misspelled(names: readonly string[], key: string): readonly string[] {
  const written = normaliseKey(key)
  return names.filter((name) => {
    const wanted = normaliseKey(name)
    const most = maxErrors(Math.min(wanted.length, written.length))
    return editDistance(wanted, written, most, { swaps: true }) <= most
  })
}

const PLAIN_WORD = /^[A-Za-z0-9_$.-]{1,128}$/

/** The keys of a tool's parameters as anchors for the JSON reader. */
export function shapeOf(schemas: readonly JsonObject[], roots: readonly JsonObject[]): Shape | null {
  const keys = new Map<string, { schema: JsonObject; root: JsonObject }[]>()
  const odd: string[] = []
  let open = false
  for (const [i, schema] of schemas.entries()) {
    const root = roots[i] ?? schema
    const branches = alternativesOf(resolveSchema(schema, root)).map((branch) => resolveSchema(branch, root))
    const properties = branches.map(propertiesOf)
    open ||= branches.some(takesAnyKey)
    for (const [key, value] of properties.flatMap((one) => (one ? Object.entries(one) : []))) {
      const list = keys.get(normaliseKey(key)) ?? []
      list.push({ schema: isJsonObject(value) ? value : {}, root })
      keys.set(normaliseKey(key), list)
      if (!PLAIN_WORD.test(key)) odd.push(key)
    }
  }
  if (keys.size === 0) return null
  // A reply may hold thousands of calls of one tool.
  const children = new Map<string, Shape | null>()
  return {
    has: (key) => keys.has(normaliseKey(key)),
    near: (word) => nearKeys(keys.keys(), word),
    open,
    odd,
    child(key) {
      const name = normaliseKey(key)
      const found = keys.get(name)
      if (!found) return null
      const known = children.get(name)
      if (known !== undefined) return known
      const inner = found.flatMap(({ schema, root }) => {
        const resolved = resolveSchema(schema, root)
        return [{ schema: resolved['items'] === undefined ? resolved : resolveSchema(resolved['items'], root), root }]
      })
      const shape = shapeOf(
        inner.map((one) => one.schema),
        inner.map((one) => one.root),
      )
      children.set(name, shape)
      return shape
    },
  }
}
