import { tableLimits as limits, type TableCell, type TableData } from '../table-data'
import { formatValue } from './format-value'

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function toCell(value: unknown): TableCell {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  const text = typeof value === 'string' ? value : formatValue(value, { depth: 2, items: 20, characters: 300 })
  return text.length > limits.cellCharacters ? `${text.slice(0, limits.cellCharacters - 1)}…` : text
}

function rowsOfObjects(items: readonly unknown[], total: number): TableData {
  const columns: string[] = []
  const seen = new Set<string>()
  for (const item of items) {
    for (const key of isPlain(item) ? Object.keys(item) : ['value']) {
      if (seen.has(key) || columns.length >= limits.columns) continue
      seen.add(key)
      columns.push(key)
    }
  }
  const rows = items.map((item) =>
    columns.map((column) =>
      isPlain(item)
        ? toCell(Object.hasOwn(item, column) ? item[column] : null)
        : column === 'value'
          ? toCell(item)
          : null,
    ),
  )
  return { columns, rows, total }
}

function rowsOfArrays(items: readonly (readonly unknown[])[], total: number): TableData {
  const width = Math.min(limits.columns, Math.max(1, ...items.map((item) => item.length)))
  const columns = Array.from({ length: width }, (_, at) => String(at))
  return { columns, rows: items.map((item) => columns.map((_, at) => toCell(item[at]))), total }
}

/** A list of objects, of arrays, or of values, a Map, or an object of rows, as a table; null for anything else. */
export function toTable(value: unknown): TableData | null {
  if (value instanceof Map) {
    const entries = [...value]
      .slice(0, limits.rows)
      .map(([key, item]) => ({ key: toCell(key), ...(isPlain(item) ? item : { value: item }) }))
    return rowsOfObjects(entries, value.size)
  }
  if (value instanceof Set) return toTable([...value])
  if (isPlain(value)) return toTable(new Map(Object.entries(value)))
  if (!Array.isArray(value)) return null
  const items: readonly unknown[] = value.slice(0, limits.rows)
  return items.length > 0 && items.every(Array.isArray)
    ? rowsOfArrays(items as readonly (readonly unknown[])[], value.length)
    : rowsOfObjects(items, value.length)
}

/** Lists that people would lay out as a table without being asked: of objects with simple fields, of rows, and Maps. */
export function isTableLike(value: unknown): boolean {
  if (value instanceof Map) return value.size > 0
  if (!Array.isArray(value) || value.length === 0) return false
  const some: readonly unknown[] = value.slice(0, 50)
  const isSimple = (item: unknown) => typeof item !== 'object' || item === null || item instanceof Date
  if (some.every(Array.isArray))
    return value.length > 1 && some.every((row) => (row as readonly unknown[]).every(isSimple))
  return some.every((item) => isPlain(item) && Object.keys(item).length > 0 && Object.values(item).every(isSimple))
}
