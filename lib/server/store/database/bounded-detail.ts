import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '@/lib/base/json'

/** The maximum JSON size of a value within a log entry, in bytes: a log is read as a whole, by people. */
const MAX_BYTES = 16 * 1024

/**
 * Returns a log entry's detail with every large value replaced by its size and hash, so that the value can still be
 * verified. As much as fits stays readable: `{"content": "4 MB…"}` loses only `content`, which becomes `{"omitted":
 * {"bytes": 4000123, "sha256": "9f86d0…"}}`.
 */
export function boundedDetail(detail: JsonObject): JsonObject {
  const members = Object.entries(detail).map(([name, value]) => [name, bounded(value)] as const)
  const all = Object.fromEntries(members)
  // Many medium-sized members can be too large together.
  return bytesOf(JSON.stringify(all)) > MAX_BYTES * 4 ? { ...omitted(JSON.stringify(detail)) } : all
}

function bounded(value: JsonValue): JsonValue {
  const text = JSON.stringify(value)
  if (text.length * 3 <= MAX_BYTES || bytesOf(text) <= MAX_BYTES) return value
  if (typeof value !== 'object' || value === null) return omitted(text)
  const inside: JsonValue = Array.isArray(value)
    ? value.map(bounded)
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bounded(member)] as const))
  return bytesOf(JSON.stringify(inside)) > MAX_BYTES ? omitted(text) : inside
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

const omitted = (text: string): { readonly omitted: { readonly bytes: number; readonly sha256: string } } => ({
  omitted: { bytes: bytesOf(text), sha256: createHash('sha256').update(text).digest('hex') },
})
