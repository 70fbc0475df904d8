import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect } from 'kysely'
import { createFileSync, type DiskSync } from './disk-sync'
import { LeasingDriver, type LeasedDatabase } from './leasing-driver'

const MAX_CACHED_STATEMENTS = 500

/**
 * node:sqlite takes an object in first place as a bag of named parameters and silently shifts the values, so anything
 * that is no plain value must fail here.
 */
export function toSqliteValue(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a ${typeof value} cannot be stored in SQLite: ${Object.prototype.toString.call(value)}`)
}

export type NodeSqliteDatabase = LeasedDatabase

/** Opens a database file for Kysely: WAL, nothing answered before it is on the disk, foreign keys on. */
export function openNodeSqlite(
  file: string,
  syncOf: (walFile: string) => DiskSync = createFileSync,
): NodeSqliteDatabase {
  const raw = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true })
  raw.exec('PRAGMA journal_mode = WAL')
  // A database in memory has no log, and some file systems can hold none.
  const isLogged = raw.prepare('PRAGMA journal_mode').get()?.['journal_mode'] === 'wal'
  // A commit is whole in the log when it returns; `disk` then waits for the log, off the thread and for many at once.
  raw.exec(`PRAGMA synchronous = ${isLogged ? 'NORMAL' : 'FULL'}`)
  const disk = isLogged ? syncOf(`${file}-wal`) : null
  // From here on `PatientConnection` waits, without blocking the thread.
  raw.exec('PRAGMA busy_timeout = 0')
  const cache = new Map<string, { statement: StatementSync; reader: boolean }>()
  const lookUp = (sql: string) => {
    const known = cache.get(sql)
    if (known) return known
    const statement = raw.prepare(sql)
    const entry = { statement, reader: statement.columns().length > 0 }
    if (cache.size < MAX_CACHED_STATEMENTS) cache.set(sql, entry)
    return entry
  }
  return {
    disk,
    isRelaxed: false,
    close() {
      disk?.close()
      raw.close()
    },
    get inTransaction() {
      return raw.isTransaction
    },
    prepare(sql) {
      const { statement, reader } = lookUp(sql)
      return {
        reader,
        all: (parameters) => statement.all(...parameters.map(toSqliteValue)),
        run: (parameters) => statement.run(...parameters.map(toSqliteValue)),
        iterate: (parameters) => statement.iterate(...parameters.map(toSqliteValue)),
      }
    },
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** DDL in transactions, so that a killed migration leaves nothing and a second starter waits. */
  override get supportsTransactionalDdl() {
    return true
  }

  /** The driver hands the one connection on by itself, before whoever had it waits for the disk. */
  override get supportsMultipleConnections() {
    return true
  }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: NodeSqliteDatabase

  constructor(database: NodeSqliteDatabase) {
    super({ database })
    this.#database = database
  }

  override createAdapter() {
    return new NodeSqliteAdapter()
  }

  override createDriver() {
    return new LeasingDriver(this.#database)
  }
}
