import * as z from 'zod/mini'
import { documentFlaws } from './document'

/*
 * A query on files: what is asked of the reader in the sealed frame, and what it answers. The answer comes from a worker that
 * parsed foreign files, so it is checked by `sqlAnswer` before anything believes it.
 */

export const sqlLimits = {
  /** Milliseconds from where the reader is there: files are loaded and the query is run. */
  totalMs: 30_000,
  /** Bytes that SQLite may hold. */
  heapBytes: 512_000_000,
  /** Of one file. */
  fileBytes: 50_000_000,
  /** Cells of all tables. */
  cells: 8_000_000,
  /** SQLite holds 2,000 columns; so many are told of a table. */
  columns: 1_000,
  columnsTold: 60,
  tables: 60,
  /** Rows for the model, and rows that are looked at to count them. */
  rowsTold: 50,
  rowsCounted: 200_000,
  cellCharacters: 400,
  /** Characters of all rows for the model. */
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
  /** Path of the file; a sheet is named behind it. */
  from: z.string(),
  rows: z.int(),
  /** As `price real`. */
  columns: z.array(z.string()),
  /** What was made of the file, where that is worth a word. */
  note: z.optional(z.string()),
})

export const sqlAnswer = z.union([
  z.strictObject({
    ok: z.literal(true),
    tables: z.array(table),
    columns: z.array(z.string()),
    rows: z.array(z.array(cell)),
    /** Of the result; `more`: counting stopped here. */
    total: z.int(),
    more: z.boolean(),
    /** The statements change something: a copy, which is gone now. */
    changes: z.boolean(),
  }),
  /** SQLite's own words, and what tables there are. */
  z.strictObject({ ok: z.literal(false), tables: z.array(table), error: z.string() }),
  /** A file that is no table, by its path. */
  z.strictObject({ ok: z.literal(false), file: z.string(), flaw: z.enum(sqlFlaws) }),
])

export type SqlAnswer = z.output<typeof sqlAnswer>
export type SqlFlaw = (typeof sqlFlaws)[number]
export type SqlTable = z.output<typeof table>

/** `/data/Orders 2026.csv` → `orders_2026`, as a query can name it without quotation marks. */
export function tableName(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  const name = base
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  return /^\p{L}/u.test(name) ? name : `t_${name || 'able'}`
}
