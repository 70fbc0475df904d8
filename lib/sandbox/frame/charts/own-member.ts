/*
 * The one way by which a chart's words reach into values: fields that the value itself has, never what it inherits, and
 * never a function. `constructor`, `__proto__` and the like are nothing here.
 */

/** The member of that name; undefined for what is inherited and for functions. Throws on null and undefined, as `.` does. */
export function ownMember(value: unknown, key: unknown): unknown {
  if (value === null || value === undefined) throw new TypeError(`There is no ${String(key)} of ${String(value)}.`)
  const name = String(key)
  // Of a typed array it is inherited.
  if (name === 'length' && ArrayBuffer.isView(value)) return (value as Uint8Array).length
  if (!Object.hasOwn(value, name)) return undefined
  const found = (value as Readonly<Record<string, unknown>>)[name]
  return typeof found === 'function' ? undefined : found
}

/** Stands in for `getter` of `vega-util`, by which all transforms, scales and formats read fields. */
export default function ownGetter(path: readonly string[]): (value: unknown) => unknown {
  const [only] = path
  if (path.length === 1) return (value) => ownMember(value, only)
  return (value) => path.reduce<unknown>(ownMember, value)
}

/** A row as Vega keeps it: an object of fields. Lists, dates and whatever is no such object become `{ data: row }`. */
export const plainRow = (row: unknown): object =>
  typeof row === 'object' && row !== null && Object.prototype.toString.call(row) === '[object Object]'
    ? row
    : { data: row }
