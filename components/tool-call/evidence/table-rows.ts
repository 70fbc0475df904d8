import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

export interface TableRows {
  readonly columns: readonly string[]
  readonly rows: readonly JsonObject[]
}

const MAX_COLUMNS = 12

/** A list of at least two flat objects as a table; null for anything else. Columns come in the order of their first row. */
export function tableRows(value: JsonValue): TableRows | null {
  if (!Array.isArray(value) || value.length < 2) return null
  const rows = (value as readonly JsonValue[]).filter(isJsonObject)
  if (rows.length !== value.length) return null
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return null
  const flat = rows.every((row) => Object.values(row).every((cell) => cell === null || typeof cell !== 'object'))
  return flat ? { columns, rows } : null
}
