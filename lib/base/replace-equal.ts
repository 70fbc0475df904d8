/**
 * Returns `next`, with every part that equals its part in `old` replaced by the old one, so that identity means
 * "nothing changed": if everything is equal, returns `old` itself. For plain data, as in JSON.
 */
export function replaceEqualDeep<T>(old: unknown, next: T): T {
  if (Object.is(old, next)) return next
  if (Array.isArray(old) && Array.isArray(next)) {
    const kept: readonly unknown[] = next.map((item: unknown, index) => replaceEqualDeep(old[index], item))
    const same = old.length === next.length && kept.every((item, index) => item === old[index])
    return (same ? old : kept) as T
  }
  if (isRecord(old) && isRecord(next)) {
    const names = Object.keys(next)
    const kept = Object.fromEntries(names.map((name) => [name, replaceEqualDeep(old[name], next[name])]))
    const same =
      Object.keys(old).length === names.length && names.every((name) => name in old && kept[name] === old[name])
    return (same ? old : kept) as T
  }
  return next
}

/** Returns a map of rows; each row, and the map itself, is the old object where nothing changed. */
export function replaceEqualRows<Key, Row>(
  old: ReadonlyMap<Key, Row>,
  rows: Iterable<readonly [Key, Row]>,
  keep: (known: Row, row: Row) => Row = replaceEqualDeep,
): ReadonlyMap<Key, Row> {
  const next = new Map<Key, Row>()
  for (const [key, row] of rows) {
    const known = old.get(key)
    next.set(key, known === undefined ? row : keep(known, row))
  }
  return next.size === old.size && [...next].every(([key, row]) => old.get(key) === row) ? old : next
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
