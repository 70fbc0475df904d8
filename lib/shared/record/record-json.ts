import { cutJson, isJsonObject, isJsonWithin, type JsonObject, type JsonValue } from '@/lib/base/json'
import { sha256Hex, sha256HexOfBytes } from '@/lib/base/sha256-hex'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'

/*
 * Canonical JSON as RFC 8785 (JCS) defines it: keys sorted by UTF-16 units, no white space, numbers and texts as
 * ECMAScript writes them. `canonicalJson` writes that form; this adds the cases that the RFC refuses, and a limit on
 * depth.
 */

/** The most levels of an entry. */
export const MAX_DEPTH = 200
const MAX_VALUE_DEPTH = 100

/**
 * Throws a `TypeError` for a value without a canonical form: a lone surrogate, a number that is not finite, or too many
 * levels.
 */
export function jcs(value: JsonValue): string {
  if (!isJsonWithin(value, MAX_DEPTH)) throw new TypeError('the value is nested too deeply')
  if (!isCanonical(value)) throw new TypeError('the value has no canonical form')
  return canonicalJson(value)
}

function isCanonical(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isCanonical)
  if (!isJsonObject(value)) return true
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isCanonical(member))
}

/**
 * The value in a form that a record can contain: U+FFFD for a lone surrogate, and “…” for parts that are nested too
 * deeply.
 */
export const recordable = (value: JsonValue, maxDepth = MAX_VALUE_DEPTH): JsonValue =>
  wellFormed(cutJson(value, maxDepth, '…'))

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]))
}

/** Hash of the canonical form: `sha256:` and 64 hex digits. */
export const hashOfJson = async (value: JsonValue): Promise<string> =>
  `sha256:${await sha256Hex(jcs(recordable(value)))}`

/** As `sha256:` and 64 hex digits. Needs a secure context in a browser, like `sha256Hex`. */
export const hashOfBytes = async (bytes: Uint8Array): Promise<string> => `sha256:${await sha256HexOfBytes(bytes)}`

interface Definition {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** A tool definition as the model read it. */
export const definitionOf = ({ name, description, parameters }: Definition): JsonObject => ({
  name,
  description,
  parameters,
})
