import type { z } from 'zod'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'

/** The JSON of one column. Its version stands in it as `v`; what was written before there was one is version 1. */
export interface StoredFormat<T> {
  readonly version: number
  readonly schema: z.ZodType<T>
  /** From each version to the next: a node that is not up to date yet may still write older ones. */
  readonly steps?: Readonly<Record<number, (old: JsonObject) => JsonObject>>
}

/**
 * What stands in a column, checked; undefined where it can't be read: no JSON, not of this form, of a newer version. Never
 * throws. Members that this version does not know stay, so that writing it again loses nothing.
 */
export function decodeStored<T>(text: unknown, { version, schema, steps = {} }: StoredFormat<T>): T | undefined {
  const value = parsed(text)
  const current = isJsonObject(value) ? upToDate(value, version, steps) : value
  if (current === undefined || !schema.safeParse(current).success) return undefined
  return current as T
}

export const encodeStored = <T>(value: T, { version }: Pick<StoredFormat<T>, 'version'>): string =>
  JSON.stringify(version === 1 ? value : { v: version, ...value })

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function upToDate(
  value: JsonObject,
  version: number,
  steps: Readonly<Record<number, (old: JsonObject) => JsonObject>>,
): JsonObject | undefined {
  // Most rows have none: those are not copied.
  if (version === 1 && !('v' in value)) return value
  const { v = 1, ...rest } = value
  if (v === version) return rest
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1 || v > version) return undefined
  let now: JsonObject = rest
  for (let at = v; at < version; at += 1) now = steps[at]?.(now) ?? now
  return now
}

/** Equal as JSON, whatever the order of members: what came from a row and what is about to be one. */
export const sameJson = (one: object | null, other: object | null): boolean =>
  canonicalJson(one as JsonObject | null) === canonicalJson(other as JsonObject | null)
