import * as z from 'zod/mini'
import { documentFlaws } from './document'

/*
 * A query on files: the order for the reader in the sandboxed frame, and its answer. The answer comes from a worker
 * that parsed untrusted files, so `sqlAnswer` validates it before use.
 */

export const sqlLimits = {
  /** Milliseconds after the reader has started, for loading files and running the query. */
  totalMs: 30_000,
  /** Maximum bytes of SQLite's memory. */
  heapBytes: 512_000_000,
  /** For one file. */
  fileBytes: 50_000_000,
  /** Cells of all tables. */
  cells: 8_000_000,
  /** SQLite allows 2,000 columns; this many are listed per table. */
  columns: 1_000,
  columnsTold: 60,
  tables: 60,
  /** Maximum rows for the model, and rows that are read to count them. */
  rowsForModel: 50,
  rowsCounted: 200_000,
  cellCharacters: 400,
  /** Maximum characters of all rows for the model. */
  rowsCharacters: 24_000,
} as const

export const sqlFlaws = [...documentFlaws, 'no-rows', 'not-a-table'] as const

export interface SqlOrder {
  readonly query: string
  /** Paths of the files that come with the order. */
  readonly files: readonly string[]
}

const cell = z.union([z.string(), z.number(), z.null()])

const table = z.strictObject({
  name: z.string(),
  /** Path of the file, followed by the sheet's name if there is one. */
  from: z.string(),
  rows: z.int(),
  /** For example `price real`. */
  columns: z.array(z.string()),
  /** A note about how the file was converted, if relevant. */
  note: z.optional(z.string()),
})

export const sqlAnswer = z.union([
  z.strictObject({
    ok: z.literal(true),
    tables: z.array(table),
    columns: z.array(z.string()),
    rows: z.array(z.array(cell)),
    /** Rows in the result; `more`: counting stopped here. */
    total: z.int(),
    more: z.boolean(),
    /** The statements change something, in a copy that is discarded. */
    changes: z.boolean(),
  }),
  /** SQLite's own error message, and the available tables. */
  z.strictObject({ ok: z.literal(false), tables: z.array(table), error: z.string() }),
  /** A file that is not a table, by its path. */
  z.strictObject({ ok: z.literal(false), file: z.string(), flaw: z.enum(sqlFlaws) }),
])

export type SqlAnswer = z.output<typeof sqlAnswer>
export type SqlFlaw = (typeof sqlFlaws)[number]
export type SqlTable = z.output<typeof table>

/** `/data/Orders 2026.csv` → `orders_2026`, which a query can use without quotes. */
export function tableName(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  const name = base
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  return /^\p{L}/u.test(name) ? name : `t_${name || 'able'}`
}
