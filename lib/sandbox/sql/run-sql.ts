import type { Database, SqlJsStatic, Statement } from 'sql.js'
import type { TableData } from '../table-data'
import { tableLimits } from '../table-data'
import {
  affinityOf,
  cellOf,
  columnNames,
  createTypeReader,
  columnWords,
  type Cell,
  type ColumnReading,
} from './column-types'
import { FlawedTable, flawOf, isSqlite, tablesOf, type RawTable } from './load-tables'
import { sqlLimits as limits, tableName, type SqlAnswer, type SqlOrder, type SqlTable } from '../sql-query'

export interface SqlFile {
  readonly path: string
  readonly data: Uint8Array
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

interface Column extends ColumnReading {
  readonly name: string
}

/** What one column proves applies to the ambiguous numbers of other columns. */
function columnsOf(table: RawTable): { readonly columns: readonly Column[]; readonly rows: number } {
  if (table.header.length > limits.columns) throw new FlawedTable('too-large')
  const readers = table.header.map(() => createTypeReader())
  let rows = 0
  let cells = 0
  table.rows((row) => {
    rows++
    cells += row.length
    if (cells > limits.cells || row.length > limits.columns) throw new FlawedTable('too-large')
    for (const [at, cell] of row.entries()) (readers[at] ??= createTypeReader()).see(cell)
  })
  const header = Array.from(readers, (_, at) => table.header[at] ?? '')
  const all = Array.from(readers, (reader) => reader ?? createTypeReader())
  // What one column proves holds for numbers of others that could be read in two ways.
  const proven = new Set(all.flatMap((reader) => reader.style() ?? []))
  const ofFile = proven.size === 1 ? ([...proven][0] ?? null) : table.style
  const names = columnNames(header)
  return { columns: all.map((reader, at) => ({ name: names[at] ?? '', ...reader.column(ofFile) })), rows }
}

/** Creates the table and describes it. */
function storeTable(db: Database, path: string, table: RawTable, taken: Set<string>): SqlTable {
  let name = table.name
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${table.name}_${n}`
  taken.add(name.toLowerCase())
  const { columns, rows } = columnsOf(table)
  if (columns.length === 0) throw new FlawedTable('no-rows')
  const declared = columns.map((column) => `${quoted(column.name)} ${affinityOf[column.type]}`)
  db.run(`create table ${quoted(name)} (${declared.join(', ')})`)
  const insert = db.prepare(`insert into ${quoted(name)} values (${columns.map(() => '?').join(', ')})`)
  db.run('begin')
  table.rows((row) => insert.run(columns.map((column, at) => cellOf(row[at], column))))
  db.run('commit')
  insert.free()
  const from = table.part === '' ? path : `${path} › ${table.part}`
  const columnTexts = columns.slice(0, limits.columnsTold).map((column) => `${column.name} ${columnWords(column)}`)
  const left = columns.length - columnTexts.length
  const notes = table.notes?.() ?? []
  return {
    name,
    from,
    rows,
    columns: left > 0 ? [...columnTexts, `… and ${left} more`] : columnTexts,
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

const maxViewRows = 100_000

/** The database writes changes to a second file (`-wal`) before its own. */
const isWal = (data: Uint8Array): boolean => data[18] === 2 || data[19] === 2

/** SQLite opens a database in memory only if it writes no second file. */
function inOneFile(data: Uint8Array): Uint8Array {
  if (!isWal(data)) return data
  const copy = data.slice()
  copy[18] = copy[19] = 1
  return copy
}

/** The tables of a database that is opened or attached as `schema`. */
function tablesInDatabase(db: Database, { path, data }: SqlFile, schema: string): readonly SqlTable[] {
  const note = isWal(data) ? 'Changes in a -wal file beside the database are not included.' : null
  const names = db.exec(`select name, type from ${quoted(schema)}.sqlite_master
    where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\' order by name limit ${limits.tables}`)
  return (names[0]?.values ?? []).map(([name, type]) => {
    const table = String(name)
    const described = {
      name: schema === 'main' ? table : `${schema}.${table}`,
      from: path,
      ...(note !== null && { note }),
    }
    try {
      const info = db.exec(`pragma ${quoted(schema)}.table_info(${quoted(table)})`)[0]?.values ?? []
      // A view may have endless rows.
      const limit = type === 'view' ? ` limit ${maxViewRows}` : ''
      const from = `${quoted(schema)}.${quoted(table)}`
      const count = db.exec(`select count(*) from (select 1 from ${from}${limit})`)[0]?.values[0]?.[0]
      const isLong = type === 'view' && Number(count) >= maxViewRows
      const columns = info.map((row) => `${String(row[1])} ${String(row[2]).toLowerCase()}`.trim())
      const long = isLong ? { note: `A view of ${maxViewRows} rows or more.` } : {}
      return { ...described, ...long, rows: Number(count ?? 0), columns: columns.slice(0, limits.columnsTold) }
    } catch (thrown) {
      // A view on a table that is gone, or a module that is not here: the other tables can be read.
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      return { ...described, rows: 0, columns: [], note: `It can’t be read: ${why}.` }
    }
  })
}

/** A value of a result as JSON: whole numbers beyond the range of a JavaScript number stay exact, as text. */
function resultCell(value: unknown): Cell {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`
  return typeof value === 'string' ? value : null
}

const cut = (cell: Cell, most: number): Cell =>
  typeof cell === 'string' && cell.length > most ? `${cell.slice(0, most - 1)}…` : cell

interface Rows {
  readonly columns: readonly string[]
  readonly kept: readonly (readonly Cell[])[]
  readonly total: number
  readonly more: boolean
}

/** The library's types lack the second argument: whole numbers as `bigint`, so that long ones stay exact. */
type ExactStatement = Omit<Statement, 'get'> & {
  readonly get: (parameters: null, options: { readonly useBigInt: true }) => readonly unknown[]
}

function rowsOf(statement: ExactStatement): Rows {
  const columns = statement.getColumnNames()
  const kept: (readonly Cell[])[] = []
  let total = 0
  let more = false
  // Statements without rows must be stepped too: that is how they run.
  while (statement.step()) {
    if (total >= limits.rowsCounted) {
      more = true
      break
    }
    total++
    if (kept.length < tableLimits.rows) kept.push(statement.get(null, { useBigInt: true }).map(resultCell))
  }
  return { columns, kept, total, more }
}

/** The rows that a model needs to see, within the character limit. */
function rowsForModel(rows: Rows): Cell[][] {
  const modelRows: Cell[][] = []
  let characters = 0
  for (const row of rows.kept.slice(0, limits.rowsForModel)) {
    const short = row.map((cell) => cut(cell, limits.cellCharacters))
    characters += JSON.stringify(short).length
    if (characters > limits.rowsCharacters && modelRows.length > 0) break
    modelRows.push(short)
  }
  return modelRows
}

function tableData({ columns, kept, total }: Rows): TableData {
  const width = tableLimits.columns
  return {
    columns: columns.slice(0, width),
    rows: kept.map((row) => row.slice(0, width).map((cell) => cut(cell, tableLimits.cellCharacters))),
    total,
  }
}

/**
 * Loads the files as tables of an in-memory database and runs the query. Nothing outlives the run, and no file is
 * changed.
 * `show` receives the result's rows for the user.
 */
export async function runSql(
  sql: SqlJsStatic,
  { query }: Pick<SqlOrder, 'query'>,
  files: readonly SqlFile[],
  show: (table: TableData) => void,
): Promise<SqlAnswer> {
  const databases = files.filter(({ data }) => isSqlite(data))
  const [main, ...others] = databases
  const db = new sql.Database(main && inOneFile(main.data))
  const tables: SqlTable[] = []
  let path = ''
  try {
    db.run(`pragma hard_heap_limit = ${limits.heapBytes}`)
    if (main) {
      path = main.path
      tables.push(...tablesInDatabase(db, main, 'main'))
    }
    const schemas = new Set(['main', 'temp'])
    for (const file of others) {
      path = file.path
      let schema = tableName(path)
      while (schemas.has(schema)) schema += '_2'
      schemas.add(schema)
      // A database is opened from a file in SQLite's own memory, and only such files can be attached.
      const opened = new sql.Database(inOneFile(file.data)) as Database & { readonly filename: string }
      db.run(`attach '${opened.filename}' as ${quoted(schema)}`)
      tables.push(...tablesInDatabase(db, file, schema))
    }
    const taken = new Set(tables.map(({ name }) => name.toLowerCase()))
    for (const file of files) {
      if (databases.includes(file)) continue
      path = file.path
      for (const table of await tablesOf(path, file.data)) tables.push(storeTable(db, path, table, taken))
    }
  } catch (thrown) {
    return { ok: false, file: path, flaw: flawOf(thrown) }
  }

  try {
    let result: Rows | null = null
    let changes = false
    for (const statement of db.iterateStatements(query)) {
      const rows = rowsOf(statement)
      changes ||= /^\s*(?:insert|update|delete|replace|create|drop|alter)\b/i.test(statement.getNormalizedSQL())
      if (rows.columns.length > 0) result = rows
    }
    if (result) show(tableData(result))
    return {
      ok: true,
      tables: [...tables],
      columns: [...(result?.columns ?? [])],
      rows: result ? rowsForModel(result) : [],
      total: result?.total ?? 0,
      more: result?.more ?? false,
      changes,
    }
  } catch (thrown) {
    return { ok: false, tables: [...tables], error: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
