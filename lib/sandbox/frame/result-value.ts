import { formatValue } from './format-value'

/** Values with more parts than this are not walked: they are shown as text. */
const maxParts = 200_000
const maxDepth = 100

/** True when JSON holds all of a value: nothing would silently turn into null or vanish, but for undefined fields. */
export function fitsJson(value: unknown): boolean {
  let parts = 0
  const walk = (item: unknown, depth: number): boolean => {
    if (++parts > maxParts || depth > maxDepth) return false
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return true
    if (typeof item === 'number') return Number.isFinite(item)
    if (typeof item !== 'object') return false
    if (item instanceof Date) return !Number.isNaN(item.getTime())
    if (Array.isArray(item)) return item.every((each) => walk(each, depth + 1))
    const prototype: unknown = Object.getPrototypeOf(item)
    if (prototype !== Object.prototype && prototype !== null) return false
    return Object.values(item).every((each) => each === undefined || walk(each, depth + 1))
  }
  try {
    return walk(value, 0)
  } catch {
    return false
  }
}

/** A run's value as text: JSON when JSON can hold it and it is not too long, else as a console would show it. */
export function runValueText(value: unknown, characters: number): { readonly text: string; readonly isJson: boolean } {
  if (fitsJson(value)) {
    try {
      const text = JSON.stringify(value)
      if (typeof text === 'string' && text.length <= characters) return { text, isJson: true }
      if (typeof value === 'string') return { text: cut(value, characters), isJson: false }
      if (typeof text === 'string') return { text: cut(text, characters), isJson: false }
    } catch {
      // A toJSON of the value's own threw: shown as text.
    }
  }
  return { text: formatValue(value, { depth: 6, items: 1_000, characters }), isJson: false }
}

const cut = (text: string, characters: number) =>
  `${text.slice(0, characters)}… (cut: ${text.length} characters in all)`
