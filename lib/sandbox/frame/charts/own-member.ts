/*
 * The only way in which a chart's expressions access values: own fields of the value, never inherited ones, and never a
 * function. `constructor`, `__proto__` and the like are undefined here.
 */

/** The member with that name; undefined for inherited members and functions. Throws on null and undefined, like `.`. */
export function ownMember(value: unknown, key: unknown): unknown {
  if (value === null || value === undefined) throw new TypeError(`There is no ${String(key)} of ${String(value)}.`)
  const name = String(key)
  // Typed arrays inherit it.
  if (name === 'length' && ArrayBuffer.isView(value)) return (value as Uint8Array).length
  if (!Object.hasOwn(value, name)) return undefined
  const found = (value as Readonly<Record<string, unknown>>)[name]
  return typeof found === 'function' ? undefined : found
}

/** Replaces `getter` of `vega-util`, which all transforms, scales and formats use to read fields. */
export default function ownGetter(path: readonly string[]): (value: unknown) => unknown {
  const [only] = path
  if (path.length === 1) return (value) => ownMember(value, only)
  return (value) => path.reduce<unknown>(ownMember, value)
}

/** A row as Vega keeps it: an object of fields. Lists, dates and other values become `{ data: row }`. */
export const plainRow = (row: unknown): object =>
  typeof row === 'object' && row !== null && Object.prototype.toString.call(row) === '[object Object]'
    ? row
    : { data: row }
