import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  SqliteAdapter,
  SqliteDialect,
  CompiledQuery,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  type TransactionSettings,
} from 'kysely'
import { createFileSync, type DiskSync } from './disk-sync'
import { setTimeout as wait } from 'node:timers/promises'

const SQLITE_BUSY = 5
const PATIENCE_MS = 10_000

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === SQLITE_BUSY

/**
 * Waits for another writer without blocking: SQLite's own busy handler sleeps on the thread of all requests, and a
 * second connection of this process would wait for itself. A busy statement had no effect, so it can be repeated.
 */
class RetryOnBusyConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection

  constructor(inner: DatabaseConnection) {
    this.#inner = inner
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const deadline = performance.now() + PATIENCE_MS
    for (let delayMs = 1; ; delayMs = Math.min(delayMs * 2, 25)) {
      try {
        return await this.#inner.executeQuery<R>(query)
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
        await wait(delayMs)
      }
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery<R>(query, chunkSize)
  }
}

/** What the driver needs from a database in addition to its statements. */
interface LeasedDatabase extends SqliteDatabase {
  readonly disk: DiskSync | null
  readonly inTransaction: boolean
  /** The holder's next commits need not be on the disk when they are acknowledged. */
  isRelaxed: boolean
}

/** A turn with the connection; after it was released, the next query waits for another turn. */
class Lease implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #takeTurn: () => Promise<() => void>
  #turn: Promise<() => void> | null = null
  /** Whether it wrote data that may not be on the disk yet. */
  hasWritten = false

  constructor(connection: DatabaseConnection, takeTurn: () => Promise<() => void>) {
    this.#connection = connection
    this.#takeTurn = takeTurn
  }

  get isOwned(): boolean {
    return this.#turn !== null
  }

  async own(): Promise<void> {
    this.#turn ??= this.#takeTurn()
    await this.#turn
  }

  giveBack(): void {
    void this.#turn?.then((end) => end())
    this.#turn = null
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind !== 'SelectQueryNode') this.hasWritten = true
    await this.own()
    return this.#connection.executeQuery<R>(query)
  }

  /** Begins and ends transactions, which writes nothing by itself. */
  async run(sql: string): Promise<void> {
    await this.own()
    await this.#connection.executeQuery(CompiledQuery.raw(sql))
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize)
  }
}

/**
 * One connection, lent to one user at a time. A writer waits for the disk after releasing it, so that others work
 * meanwhile and one wait serves all. Writers take the write lock at the start: a deferred transaction that turns into a
 * writer fails at once if another one writes.
 */
class LeasingDriver implements Driver {
  readonly #inner: SqliteDriver
  readonly #database: LeasedDatabase
  #connection: Promise<DatabaseConnection> | null = null
  /** Resolves when the last user in the queue has released the connection. */
  #line: Promise<void> = Promise.resolve()
  readonly #idle: Lease[] = []

  constructor(database: LeasedDatabase) {
    this.#inner = new SqliteDriver({ database })
    this.#database = database
  }

  init(): Promise<void> {
    return this.#inner.init()
  }

  destroy(): Promise<void> {
    return this.#inner.destroy()
  }

  async acquireConnection(): Promise<Lease> {
    this.#connection ??= this.#inner.acquireConnection().then((connection) => new RetryOnBusyConnection(connection))
    const connection = await this.#connection
    const lease = this.#idle.pop() ?? new Lease(connection, () => this.#takeTurn())
    await lease.own()
    return lease
  }

  async #takeTurn(): Promise<() => void> {
    const before = this.#line
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#line = promise
    await before
    return resolve
  }

  async beginTransaction(connection: Lease, settings?: TransactionSettings): Promise<void> {
    const readsOnly = settings?.accessMode === 'read only'
    await connection.run(readsOnly ? 'begin' : 'begin immediate')
    connection.hasWritten = !readsOnly
  }

  async commitTransaction(connection: Lease): Promise<void> {
    await connection.run('commit')
    await this.#keep(connection)
  }

  /**
   * A full disk or an I/O error ends the transaction by itself; a rollback would then hide the cause. If the disk
   * failed after a commit, the connection belongs to another user by now.
   */
  async rollbackTransaction(connection: Lease): Promise<void> {
    if (connection.isOwned && this.#database.inTransaction) await connection.run('rollback')
    connection.hasWritten = false
  }

  async releaseConnection(connection: Lease): Promise<void> {
    try {
      await this.#keep(connection)
    } finally {
      connection.giveBack()
      this.#idle.push(connection)
    }
  }

  async #keep(connection: Lease): Promise<void> {
    if (!connection.hasWritten) return
    connection.hasWritten = false
    if (this.#database.isRelaxed || !this.#database.disk) return
    connection.giveBack()
    await this.#database.disk.sync()
  }
}

const MAX_CACHED_STATEMENTS = 500

/**
 * node:sqlite treats an object as the first argument as named parameters and silently shifts the values, so anything
 * that is not a plain value must fail here.
 */
export function toSqliteValue(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a ${typeof value} cannot be stored in SQLite: ${Object.prototype.toString.call(value)}`)
}

export type NodeSqliteDatabase = LeasedDatabase

/** Opens a database file for Kysely: WAL, nothing acknowledged before it is on the disk, foreign keys on. */
export function openNodeSqlite(
  file: string,
  syncOf: (walFile: string) => DiskSync = createFileSync,
): NodeSqliteDatabase {
  const raw = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: true })
  raw.exec('PRAGMA journal_mode = WAL')
  // A database in memory has no log, and some file systems do not support one.
  const isLogged = raw.prepare('PRAGMA journal_mode').get()?.['journal_mode'] === 'wal'
  // A commit is complete in the log when it returns; `disk` then waits for the log, off the thread and for many at
  // once.
  raw.exec(`PRAGMA synchronous = ${isLogged ? 'NORMAL' : 'FULL'}`)
  const disk = isLogged ? syncOf(`${file}-wal`) : null
  // From here on `RetryOnBusyConnection` waits without blocking the thread.
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
  /** DDL in transactions, so that a killed migration leaves nothing behind and a second starting process waits. */
  override get supportsTransactionalDdl() {
    return true
  }

  /** The driver passes the single connection on by itself, before its last user waits for the disk. */
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
