import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { encodeValue, type BackupHead } from './backup-file'
import { rowsOfTable, tablesOf, type AnyDatabase } from './tables-of'

export interface BackupCounts {
  readonly tables: number
  readonly rows: number
}

/**
 * The whole database as it is in one moment, as the lines of a backup, whoever writes to it meanwhile; gives their counts at
 * last. Holds some hundred rows at a time. Throws what the database says.
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
