/** Any value that JSON can hold. Dictionaries with keys from outside have a null prototype or come from JSON.parse. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * True if parsed JSON nests at most `maxDepth` levels deep. Uses no recursion, because a hostile body may nest very
 * deeply.
 */
export function isJsonWithin(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return false
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      for (const child of Object.values(item)) next.push(child)
    }
    level = next
  }
  return true
}

/**
 * Returns the value with everything nested deeper than `maxDepth` replaced: recursive code would overflow the stack.
 */
export function cutJson(value: JsonValue, maxDepth: number, instead: JsonValue): JsonValue {
  if (isJsonWithin(value, maxDepth)) return value
  const cut = (one: JsonValue, left: number): JsonValue => {
    if (typeof one !== 'object' || one === null) return one
    if (left === 0) return instead
    if (Array.isArray(one)) return one.map((child: JsonValue) => cut(child, left - 1))
    return Object.fromEntries(Object.entries(one).map(([key, child]) => [key, cut(child, left - 1)]))
  }
  return cut(value, maxDepth)
}

/** An object with keys, not an array and not null. The values are unknown. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a provider's error is about the API key, judged by its wording. */
export const mentionsKey = (text: string): boolean =>
  /\bkey\b|api[_-]?key|credential|authenticat|unauthori[sz]ed|permission_error|\b(?:invalid|expired|missing|bad|access|bearer|auth)\w* token\b/i.test(
    text,
  )
