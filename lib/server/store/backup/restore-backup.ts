import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { applySteps, COMMIT_WITH_ALL_STEPS, lastOf, migrateToLatest, stateOf } from '../database/apply-migrations'
import { migrations } from '../database/migrations'
import {
  backupEndSchema,
  backupHeadSchema,
  backupRowSchema,
  backupTableSchema,
  decodeValue,
  type BackupHead,
  type BackupTable,
  type StoredValue,
  tablesOf,
  type AnyDatabase,
  type AnyTransaction,
  type BackupCounts,
} from './backup-file'

export interface RestoredBackup extends BackupCounts {
  readonly head: BackupHead
}

/**
 * Fills an empty database from the lines of a backup, which are read twice, and applies later migrations. All rows or
 * none: a truncated, damaged or newer backup restores nothing (AppError `bad-request`, one sentence each). Throws
 * database errors.
 */
export async function restoreBackup(
  db: AnyDatabase,
  store: 'sqlite' | 'postgres',
  lines: () => AsyncIterable<string>,
): Promise<RestoredBackup> {
  await refuseFull(db, store)
  // Checked first: the database would report only the first damaged row.
  await checkBackup(lines())
  const source = lines()[Symbol.asyncIterator]()
  const { head, line } = await readHead(source)
  await migrateTo(db, head)
  const counts = await db.transaction().execute(async (trx) => {
    const batch = createBatch(trx)
    const read = await readRows(line, source, (table, row) => batch.add(table, row))
    await batch.flush()
    return read
  })
  await migrateToLatest(db)
  await sql`insert into words_due (owner, conversation_id, message_id)
    select owner, conversation_id, id from messages where true on conflict do nothing`.execute(db)
  return { head, ...counts }
}

/** Reads a whole backup without storing anything. Throws like `restoreBackup`. */
export async function checkBackup(lines: AsyncIterable<string>): Promise<RestoredBackup> {
  const source = lines[Symbol.asyncIterator]()
  const { head, line } = await readHead(source)
  return { head, ...(await readRows(line, source, () => Promise.resolve())) }
}

async function refuseFull(db: AnyDatabase, store: 'sqlite' | 'postgres'): Promise<void> {
  for (const { name } of await tablesOf(db, store)) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) throw makeError('bad-request', 'backup.not-empty', { table: name })
  }
}

async function readHead(source: AsyncIterator<string>): Promise<{ readonly head: BackupHead; readonly line: string }> {
  const first = await source.next()
  const line = first.done === true ? '' : first.value
  const head = backupHeadSchema.safeParse(parsed(line))
  if (!head.success) throw makeError('bad-request', 'backup.no-backup')
  const names = head.data.migrations
  const state = stateOf(new Set(names))
  if (state === 'too-old') {
    throw makeError('bad-request', 'backup.older', { step: lastOf(names), commit: COMMIT_WITH_ALL_STEPS })
  }
  const unknown = state === 'current' && names.find((name) => !(name in migrations))
  if (unknown) throw makeError('bad-request', 'backup.newer', { step: unknown })
  return { head: head.data, line }
}

/** Creates the tables as they were when the backup was written, because its rows have those columns. */
async function migrateTo(db: AnyDatabase, { migrations: names }: BackupHead): Promise<void> {
  const isBefore = stateOf(new Set(names)) === 'before-baseline'
  const last = lastOf(isBefore ? Object.keys(migrations).toSorted().slice(0, 1) : names)
  const steps = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last))
  await applySteps(db, steps, () => {})
}

async function readRows(
  first: string,
  source: AsyncIterator<string>,
  take: (table: BackupTable, row: readonly StoredValue[]) => Promise<void>,
): Promise<BackupCounts> {
  const hash = createHash('sha256').update(`${first}\n`)
  let table: BackupTable | null = null
  const counted = { tables: 0, rows: 0 }
  for (;;) {
    const { value, done } = await source.next()
    if (done === true) throw makeError('bad-request', 'backup.cut')
    const line = parsed(value)
    if (Array.isArray(line)) {
      const row = backupRowSchema.safeParse(line)
      if (!row.success || table?.columns.length !== row.data.length) throw makeError('bad-request', 'backup.damaged')
      await take(table, row.data.map(decodeValue))
      counted.rows += 1
    } else {
      const end = backupEndSchema.safeParse(line)
      if (end.success) {
        if (end.data.rows !== counted.rows || end.data.sha256 !== hash.digest('hex')) {
          throw makeError('bad-request', 'backup.damaged')
        }
        return counted
      }
      const next = backupTableSchema.safeParse(line)
      if (!next.success) throw makeError('bad-request', line === undefined ? 'backup.cut' : 'backup.damaged')
      table = next.data
      counted.tables += 1
    }
    hash.update(`${value}\n`)
  }
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** SQLite accepts 32,766 values per statement, and a reply may be megabytes. */
const MOST_VALUES = 10_000
const MOST_CHARS = 4_000_000

/** Inserts rows of one table together. */
function createBatch(trx: AnyTransaction) {
  let of: BackupTable | null = null
  let waiting: StoredValue[][] = []
  let chars = 0
  async function flush(): Promise<void> {
    if (of === null || waiting.length === 0) return
    const { table, columns } = of
    const rows = waiting.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])))
    waiting = []
    chars = 0
    await trx.insertInto(table).values(rows).execute()
  }
  return {
    flush,
    async add(table: BackupTable, row: readonly StoredValue[]): Promise<void> {
      if (of !== table) await flush()
      of = table
      waiting.push([...row])
      chars += row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)
      if (waiting.length * table.columns.length >= MOST_VALUES || chars >= MOST_CHARS) await flush()
    },
  }
}
