import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { registeredToolLimits as limits } from '@/lib/shared/conversation/settings/registered-tool'
import { restoreSchema } from '@/lib/shared/conversation/settings/bounded-schema'

/** How often a recursive schema is unfolded. */
const MAX_UNFOLD = 2
const MAX_DEPTH = 12
/** Branching references can turn a few kilobytes into more than a page can hold. */
const MAX_PARTS = 4_000

/**
 * A schema that readers and prompts can handle. Parts that are too much for them (a recursive schema, a very deep one)
 * allow anything: the server itself checks the arguments last.
 */
export function usableSchema(schema: JsonObject): JsonObject {
  const typed: JsonObject = { ...schema, type: 'object' }
  if (fits(typed)) return typed
  const unfolded = unfold(typed, { root: typed, parts: 0 }, [], 0)
  const bounded = isJsonObject(unfolded) ? withoutOddNames(unfolded) : { type: 'object' }
  if (fits(bounded)) return bounded
  const flat = flattened(bounded)
  return fits(flat) ? flat : { type: 'object' }
}

const fits = (schema: JsonObject): boolean =>
  restoreSchema(schema) === null && JSON.stringify(schema).length <= limits.maxParametersChars

interface Unfolding {
  readonly root: JsonObject
  parts: number
}

/** Replaces references by what they name. */
function unfold(value: JsonValue, unfolding: Unfolding, open: readonly string[], depth: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  unfolding.parts += 1
  if (depth > MAX_DEPTH || unfolding.parts > MAX_PARTS) return {}
  if (Array.isArray(value)) return value.map((one: JsonValue) => unfold(one, unfolding, open, depth + 1))
  const { $ref: ref, $defs: _defs, definitions: _definitions, ...rest } = value as JsonObject
  if (typeof ref === 'string') {
    const isTooOften = open.filter((one) => one === ref).length >= MAX_UNFOLD
    const target = { ...targetOf(ref, unfolding.root), ...rest }
    return isTooOften ? {} : unfold(target, unfolding, [...open, ref], depth + 1)
  }
  return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, unfold(one, unfolding, open, depth + 1)]))
}

function targetOf(ref: string, root: JsonObject): JsonObject {
  let target: JsonValue = ref.startsWith('#') ? root : {}
  for (const step of ref.split('/').slice(1)) {
    target = isJsonObject(target) && Object.hasOwn(target, step) ? (target[step] ?? {}) : {}
  }
  return isJsonObject(target) ? target : {}
}

/** Call formats write parameters as names, so one with spaces or brackets is left out. */
function withoutOddNames(schema: JsonObject): JsonObject {
  const { properties, required } = schema
  if (!isJsonObject(properties)) return schema
  const isPlain = (name: string) => /^[\w.$-]{1,64}$/.test(name)
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => isPlain(name)))
  return {
    ...schema,
    properties: kept,
    ...(Array.isArray(required) && { required: required.filter((name) => typeof name === 'string' && isPlain(name)) }),
  }
}

/** The names of the parameters, with only their types. */
function flattened({ properties, required }: JsonObject): JsonObject {
  const named = isJsonObject(properties) ? Object.entries(properties).slice(0, 100) : []
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(([name, one]) => [
        name,
        isJsonObject(one) && typeof one['type'] === 'string' ? { type: one['type'] } : {},
      ]),
    ),
    ...(Array.isArray(required) && { required }),
  }
}
