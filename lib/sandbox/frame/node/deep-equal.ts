/** Equal in kind, in parts and in their order where it counts, as `assert.deepStrictEqual` has it. */
export function isDeepEqual(a: unknown, b: unknown, seen: readonly (readonly [unknown, unknown])[] = []): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (seen.some(([x, y]) => x === a && y === b)) return true
  const below = [...seen, [a, b] as const]
  const same = (x: unknown, y: unknown) => isDeepEqual(x, y, below)
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime())
  if (a instanceof RegExp && b instanceof RegExp) return String(a) === String(b)
  if (a instanceof Error && b instanceof Error && (a.message !== b.message || a.name !== b.name)) return false
  if (a instanceof Map && b instanceof Map)
    return (
      a.size === b.size &&
      [...a].every(([key, value]) =>
        b.has(key) ? same(value, b.get(key)) : [...b].some((other) => same([key, value], other)),
      )
    )
  if (a instanceof Set && b instanceof Set)
    return a.size === b.size && [...a].every((value) => b.has(value) || [...b].some((other) => same(value, other)))
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    const [x, y] = [a as Uint8Array, b as Uint8Array]
    return x.length === y.length && Array.prototype.every.call(x, (value, at) => Object.is(value, y[at]))
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false
  const keys = (of: object) => Reflect.ownKeys(of).filter((key) => Object.prototype.propertyIsEnumerable.call(of, key))
  const mine = keys(a)
  if (mine.length !== keys(b).length) return false
  return mine.every(
    (key) =>
      Object.hasOwn(b, key) && same((a as Record<PropertyKey, unknown>)[key], (b as Record<PropertyKey, unknown>)[key]),
  )
}
