import { sql, type Kysely, type Transaction } from 'kysely'

export interface DatabaseTable {
  readonly name: string
  readonly columns: readonly string[]
}

export type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>
export type AnyTransaction = Transaction<Record<string, Record<string, unknown>>>

/** What migrations keep of themselves, who ran them, and which time it was here: a restored database gets its own. */
const isOfDatabase = (name: string): boolean =>
  name.startsWith('kysely_migration') || name === 'programs' || name === 'trusted_time'

/** Made of messages again wherever they are restored (`words-due.ts`). */
const isMadeOfMessages = (name: string): boolean =>
  name === 'message_words' || name === 'words_due' || name.startsWith('message_index')

/** All tables of a backup with their columns, each after those that its rows point to. */
export async function tablesOf(db: AnyDatabase, kind: 'sqlite' | 'postgres'): Promise<readonly DatabaseTable[]> {
  const found = (await db.introspection.getTables())
    .filter(({ name }) => !isOfDatabase(name) && !isMadeOfMessages(name))
    .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const points = kind === 'sqlite' ? await sqlitePointers(db, found) : await postgresPointers(db)
  const placed: DatabaseTable[] = []
  const isPlaced = (name: string) => placed.some((table) => table.name === name)
  while (placed.length < found.length) {
    const next = found.find(
      ({ name }) => !isPlaced(name) && points.every((one) => one.from !== name || one.to === name || isPlaced(one.to)),
    )
    if (!next) throw new Error('tables point to each other in a circle')
    placed.push(next)
  }
  return placed
}

interface Pointer {
  readonly from: string
  readonly to: string
}

async function sqlitePointers(db: AnyDatabase, tables: readonly DatabaseTable[]): Promise<readonly Pointer[]> {
  const pointers: Pointer[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ table: string }>`select "table" from pragma_foreign_key_list(${name})`.execute(db)
    pointers.push(...rows.map((row) => ({ from: name, to: row.table })))
  }
  return pointers
}

async function postgresPointers(db: AnyDatabase): Promise<readonly Pointer[]> {
  const { rows } = await sql<{ from_table: string; to_table: string }>`
    select source.relname as from_table, target.relname as to_table from pg_constraint
    join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f'`.execute(db)
  return rows.map(({ from_table, to_table }) => ({ from: from_table, to: to_table }))
}

/** Rows of one statement: a reply may be megabytes. */
const ROWS = 200

/** All rows of a table as arrays of its columns, a few hundred at a time. */
export async function* rowsOfTable(
  trx: AnyTransaction,
  kind: 'sqlite' | 'postgres',
  table: DatabaseTable,
): AsyncGenerator<readonly unknown[]> {
  const columns = sql.join(table.columns.map((column) => sql.ref(column)))
  const inOrder = (row: Readonly<Record<string, unknown>>) => table.columns.map((column) => row[column])
  if (kind === 'postgres') {
    await sql`declare backup_rows cursor for select ${columns} from ${sql.table(table.name)}`.execute(trx)
    for (;;) {
      const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(ROWS)} from backup_rows`.execute(trx)
      for (const row of rows) yield inOrder(row)
      if (rows.length < ROWS) break
    }
    await sql`close backup_rows`.execute(trx)
    return
  }
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const { rows } = await sql<Record<string, unknown> & { backup_rowid: number }>`
      select rowid as backup_rowid, ${columns} from ${sql.table(table.name)}
      where rowid > ${after} order by rowid limit ${ROWS}`.execute(trx)
    for (const row of rows) yield inOrder(row)
    const last = rows.at(-1)
    if (!last || rows.length < ROWS) return
    after = last.backup_rowid
  }
}
