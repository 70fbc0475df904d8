import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type TransactionSettings,
} from 'kysely'
import { PatientConnection } from './patient-connection'

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

export interface NodeSqliteDatabase extends SqliteDatabase {
  /** NORMAL: commits do not wait for the disk. Takes effect between transactions. */
  setSynchronous(mode: 'FULL' | 'NORMAL'): void
  readonly inTransaction: boolean
}

/** Opens a database file for Kysely: WAL, every commit synced, foreign keys on. */
export function openNodeSqlite(file: string): NodeSqliteDatabase {
  const raw = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true })
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
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
    close: () => raw.close(),
    get inTransaction() {
      return raw.isTransaction
    },
    // Never as a cached statement: this pragma acts when it is compiled.
    setSynchronous: (mode) => raw.exec(`PRAGMA synchronous = ${mode}`),
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

/** DDL in transactions, so that a killed migration leaves nothing and a second starter waits. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

/**
 * Writers take the write lock at the start: a deferred transaction that turns into a writer fails at once when another
 * one writes, without waiting.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #database: NodeSqliteDatabase
  #connection: Promise<DatabaseConnection> | null = null

  constructor(database: NodeSqliteDatabase) {
    super({ database })
    this.#database = database
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= super.acquireConnection().then((connection) => new PatientConnection(connection))
    return this.#connection
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(begin))
  }

  /** A full disk or an I/O error ends the transaction by itself; a rollback would then hide what had happened. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: NodeSqliteDatabase

  constructor(database: NodeSqliteDatabase) {
    super({ database })
    this.#database = database
  }

  override createAdapter() {
    return new TransactionalDdlAdapter()
  }

  override createDriver() {
    return new ImmediateDriver(this.#database)
  }
}
