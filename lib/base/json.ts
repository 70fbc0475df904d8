/** Any value that JSON can hold. Dictionaries with foreign keys have a null prototype or come from JSON.parse. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True when parsed JSON nests at most `maxDepth` deep. Without recursion: the depth is what a hostile body abuses. */
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

/** The value with what nests deeper than `maxDepth` replaced: code that walks it by recursion would overflow the stack. */
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

/** An object with keys: no list, no null. What is under a key is unknown. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a refusal is about the key, as servers put it. */
export const mentionsKey = (text: string): boolean =>
  /\bkey\b|api[_-]?key|credential|authenticat|unauthori[sz]ed|permission_error|\b(?:invalid|expired|missing|bad|access|bearer|auth)\w* token\b/i.test(
    text,
  )
