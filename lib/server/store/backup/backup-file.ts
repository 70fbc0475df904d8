import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { makeError } from '@/lib/i18n/t'
import { z } from 'zod'
import { sql, type Kysely, type Transaction } from 'kysely'
import { createHash } from 'node:crypto'

/**
 * Writes lines into a gzipped file that only this user can read; it appears under its name only when complete. Returns
 * the return value of the lines. Throws AppError `bad-request` if the file exists, and file system errors.
 */
export async function writeBackupFile<T>(
  file: string,
  lines: AsyncGenerator<string, T>,
): Promise<T & { bytes: number }> {
  const part = `${file}.part`
  const exists = await stat(file).catch(() => null)
  if (exists) throw makeError('bad-request', 'backup.exists', { file })
  const handle = await open(part, 'w', 0o600)
  try {
    const given = await writeZipped(lines, (piece) => handle.write(piece))
    await handle.sync()
    await rename(part, file)
    return given
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/**
 * Passes the gzipped lines to `write` in pieces, and always closes them. For standard output, where nobody else removes
 * an incomplete backup.
 */
export async function writeZipped<T>(
  lines: AsyncGenerator<string, T>,
  write: (piece: Uint8Array) => Promise<unknown>,
): Promise<T & { bytes: number }> {
  let bytes = 0
  try {
    const zip = createGzip()
    const writing = (async () => {
      for await (const piece of zip as AsyncIterable<Uint8Array>) {
        bytes += piece.byteLength
        await write(piece)
      }
    })()
    // Destroys the stream after a failed write, so that the failure is handled.
    writing.catch(() => zip.destroy())
    let step = await lines.next()
    for (; step.done !== true; step = await lines.next()) {
      if (!zip.write(step.value)) await Promise.race([new Promise((resolve) => zip.once('drain', resolve)), writing])
    }
    zip.end()
    await writing
    return { ...step.value, bytes }
  } finally {
    await lines.return(undefined as T).catch(() => undefined)
  }
}

const NEWLINE = 10

/**
 * The lines of a backup file. Splits only at line feeds, because texts contain other line ends. Throws AppError
 * `bad-request` if the file is no backup, or truncated.
 */
export async function* readBackupFile(file: string): AsyncGenerator<string> {
  const exists = await stat(file).catch(() => null)
  if (!exists?.isFile()) throw makeError('bad-request', 'backup.no-file', { file })
  const source = createReadStream(file)
  const unzip = source.pipe(createGunzip())
  source.once('error', (error) => unzip.destroy(error))
  let rest: Uint8Array[] = []
  try {
    for await (const chunk of unzip as AsyncIterable<Uint8Array>) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        rest.push(chunk.subarray(from, at))
        yield Buffer.concat(rest).toString('utf8')
        rest = []
        from = at + 1
      }
      rest.push(chunk.subarray(from))
    }
    const last = Buffer.concat(rest).toString('utf8')
    if (last !== '') yield last
  } catch (error) {
    throw wordsOf(error)
  } finally {
    source.destroy()
  }
}

function wordsOf(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'Z_BUF_ERROR') return makeError('bad-request', 'backup.cut', {}, { cause: error })
  // The first bytes tell whether it was gzip; zlib has no error code for that.
  const isOther = /incorrect header/.test((error as Error).message)
  if (code === 'Z_DATA_ERROR')
    return makeError('bad-request', isOther ? 'backup.no-backup' : 'backup.damaged', {}, { cause: error })
  return error
}

/*
 * A backup is lines of JSON: a header; for each table its name and columns, then its rows as arrays; and an end with
 * the number of rows and the hash of all lines before. Both databases use the same format, so that a backup of one can
 * be restored to the other. Tables are ordered so that each can be filled.
 */

export const backupHeadSchema = z.strictObject({
  format: z.literal('nod-backup'),
  version: z.literal(1),
  /** Epoch milliseconds. */
  at: z.number(),
  store: z.enum(['sqlite', 'postgres']),
  /** Names of the applied migrations, in order. */
  migrations: z.array(z.string()).min(1),
  /** The generated secret stored beside the database; omitted if the operator provided one. */
  secret: z.string().optional(),
})
export type BackupHead = z.infer<typeof backupHeadSchema>

export const backupTableSchema = z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) })
export type BackupTable = z.infer<typeof backupTableSchema>

export const backupEndSchema = z.strictObject({ end: z.literal(true), rows: z.number(), sha256: z.string() })

const storedValueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ base64: z.string() }),
])
export const backupRowSchema = z.array(storedValueSchema)

export type StoredValue = string | number | boolean | null | Uint8Array

/** Throws TypeError for values that neither database returns. */
export function encodeValue(value: unknown): z.infer<typeof storedValueSchema> {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  throw new TypeError(`a ${typeof value} cannot stand in a backup`)
}

export const decodeValue = (value: z.infer<typeof storedValueSchema>): StoredValue =>
  typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value

interface DatabaseTable {
  readonly name: string
  readonly columns: readonly string[]
}

export type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>
export type AnyTransaction = Transaction<Record<string, Record<string, unknown>>>

/** The tables for migrations and for the trusted time: a restored database gets its own. */
const isOfDatabase = (name: string): boolean =>
  name.startsWith('kysely_migration') || name === 'programs' || name === 'trusted_time'

/** The search index is rebuilt from messages after a restore (`words_due`). */
const isMadeOfMessages = (name: string): boolean =>
  name === 'message_words' || name === 'words_due' || name.startsWith('message_index')

/** All tables of a backup with their columns, each after the tables that its rows refer to. */
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

/** Rows per statement: a reply may be megabytes. */
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

export interface BackupCounts {
  readonly tables: number
  readonly rows: number
}

/**
 * Streams the lines of a backup: a consistent snapshot of the whole database, even during writes. Returns the counts.
 * Keeps a few hundred rows in memory. Throws database errors.
 */
export async function* writeBackup(
  db: AnyDatabase,
  about: Pick<BackupHead, 'at' | 'store' | 'secret'>,
): AsyncGenerator<string, BackupCounts> {
  const hash = createHash('sha256')
  const line = (value: unknown): string => {
    const text = `${JSON.stringify(value)}\n`
    hash.update(text)
    return text
  }
  const trx = await db
    .startTransaction()
    .setAccessMode('read only')
    .setIsolationLevel(about.store === 'sqlite' ? 'serializable' : 'repeatable read')
    .execute()
  let counted = 0
  try {
    const steps = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(trx)
    const migrations = steps.rows.map(({ name }) => name)
    const tables = await tablesOf(trx, about.store)
    yield line({ format: 'nod-backup', version: 1, ...about, migrations } satisfies BackupHead)
    for (const table of tables) {
      yield line({ table: table.name, columns: table.columns })
      for await (const row of rowsOfTable(trx, about.store, table)) {
        counted += 1
        yield line(row.map(encodeValue))
      }
    }
    yield `${JSON.stringify({ end: true, rows: counted, sha256: hash.digest('hex') })}\n`
    return { tables: tables.length, rows: counted }
  } finally {
    await trx.rollback().execute()
  }
}
