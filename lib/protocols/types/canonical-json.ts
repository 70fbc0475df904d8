import type { JsonValue } from '@/lib/base/json'

/** JSON text with sorted keys and no white space: equal values give equal texts. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const object = value as { readonly [key: string]: JsonValue }
  const members = Object.keys(object)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] ?? null)}`)
  return `{${members.join(',')}}`
}
