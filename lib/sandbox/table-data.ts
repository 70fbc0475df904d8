export type TableCell = string | number | boolean | null

/** The contents of a display of kind `table`, as JSON. `total` counts the rows before the table was cut. */
export interface TableData {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly TableCell[])[]
  readonly total: number
}

export const tableLimits = { rows: 1_000, columns: 50, cellCharacters: 1_000 } as const

const isCell = (value: unknown): value is TableCell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Null if a text, which comes from untrusted code, is not a table. */
export function parseTable(text: string): TableData | null {
  try {
    const { columns, rows, total } = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (!Array.isArray(columns) || !columns.every((column) => typeof column === 'string')) return null
    if (!Array.isArray(rows) || typeof total !== 'number') return null
    const isRow = (row: unknown) => Array.isArray(row) && row.length === columns.length && row.every(isCell)
    return rows.every(isRow) ? { columns, rows: rows as readonly TableCell[][], total } : null
  } catch {
    return null
  }
}
