import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { ExpectedCall } from '../probe'

/*
 * Whether the arguments of a call are right, by the rules of the Berkeley leaderboard: each argument is one of the values that
 * are allowed; `''` among them: it may be left out; texts are compared without spaces, case and `, . / - _ * ^`, and with one
 * kind of quote. Beyond its rules: an optional argument may stand there with its default or be left out for it, and an argument
 * may be `exact`, where every character counts.
 */

/** Why the arguments are not right: the first that is not, in the order of what is expected. */
export interface Mismatch {
  readonly argument: string
  readonly how: 'missing' | 'unexpected' | 'other-value'
}

/** Null: they are right. `schema` is the tool's parameters. */
export function findMismatch(given: JsonObject, expected: ExpectedCall, schema: JsonObject): Mismatch | null {
  const { exact = [] } = expected
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const defaultOf = (argument: string): JsonValue | undefined => {
    const property = Object.hasOwn(properties, argument) ? properties[argument] : undefined
    return required.includes(argument) || !isJsonObject(property) ? undefined : property['default']
  }
  for (const [argument, allowed] of Object.entries(expected.arguments)) {
    const alike = exact.includes(argument) ? sameExactly : sameLoosely
    const fallback = defaultOf(argument)
    const mayLack = allowed.includes('') || (fallback !== undefined && allowed.some((value) => alike(fallback, value)))
    if (!Object.hasOwn(given, argument)) {
      if (mayLack) continue
      return { argument, how: 'missing' }
    }
    const value = given[argument] as JsonValue
    const isDefault = mayLack && fallback !== undefined && alike(value, fallback)
    if (!isDefault && !allowed.some((one) => alike(value, one))) return { argument, how: 'other-value' }
  }
  for (const [argument, value] of Object.entries(given)) {
    if (Object.hasOwn(expected.arguments, argument)) continue
    const fallback = defaultOf(argument)
    if (fallback === undefined || !sameLoosely(value, fallback)) return { argument, how: 'unexpected' }
  }
  return null
}

const sameExactly = (value: JsonValue, wanted: JsonValue): boolean =>
  value === wanted || (typeof value === 'object' && canonicalJson(value) === canonicalJson(wanted))

/** What of a text counts when it is compared. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')

function sameLoosely(value: JsonValue, wanted: JsonValue): boolean {
  if (typeof value === 'string') return typeof wanted === 'string' && plainText(value) === plainText(wanted)
  if (Array.isArray(value)) {
    return (
      Array.isArray(wanted) &&
      value.length === wanted.length &&
      value.every((one, at) => sameLoosely(one, wanted[at] as JsonValue))
    )
  }
  if (!isJsonObject(value)) return value === wanted
  return isJsonObject(wanted) && sameObject(value, wanted)
}

/** Inside an object each value is one that is allowed, or a list of those that are. */
function sameObject(value: JsonObject, wanted: JsonObject): boolean {
  if (Object.keys(value).some((key) => !Object.hasOwn(wanted, key))) return false
  return Object.entries(wanted).every(([key, allowed]) => {
    const list: readonly JsonValue[] = Array.isArray(allowed) ? allowed : [allowed]
    if (!Object.hasOwn(value, key)) return Array.isArray(allowed) && allowed.includes('')
    const own = value[key] as JsonValue
    return list.some((one) => sameLoosely(own, one)) || (Array.isArray(allowed) && sameLoosely(own, allowed))
  })
}
