import { formatBytes } from '@/lib/base/text/locale'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/* How much a call did, in the words of its card's head, read from a result that may be of any version. */

const member = (result: JsonValue, name: keyof JsonObject): JsonValue | undefined =>
  isJsonObject(result) ? result[name] : undefined

/** The bytes that a member counts. */
export const bytesIn = (result: JsonValue, name: string): string => {
  const bytes = member(result, name)
  return typeof bytes === 'number' ? formatBytes(bytes) : ''
}

/** The bytes of a text that a member holds, in UTF-8. */
export const textBytesIn = (result: JsonValue, name: string): string => {
  const text = member(result, name)
  return typeof text === 'string' ? formatBytes(new TextEncoder().encode(text).byteLength) : ''
}

/** "1 entry", "14 entries", as `say` says it: how long a list is, or what a member counts. */
export const countIn = (result: JsonValue, name: string, say: (count: number) => string): string => {
  const value = member(result, name)
  const count = Array.isArray(value) ? value.length : value
  return typeof count === 'number' ? say(count) : ''
}
