import {
  CompiledQuery,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  type TransactionSettings,
} from 'kysely'
import type { DiskSync } from './disk-sync'
import { PatientConnection } from './patient-connection'

/** What the driver needs of a database besides its statements. */
export interface LeasedDatabase extends SqliteDatabase {
  readonly disk: DiskSync | null
  readonly inTransaction: boolean
  /** What whoever holds the connection commits now need not be on the disk when it is answered. */
  isRelaxed: boolean
}

/** A turn with the connection; whoever has given it back and asks something more waits for another turn. */
class Lease implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #takeTurn: () => Promise<() => void>
  #turn: Promise<() => void> | null = null
  /** Something that is not known to be on the disk. */
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

  /** Begins and ends transactions: nothing is written by that itself. */
  async run(sql: string): Promise<void> {
    await this.own()
    await this.#connection.executeQuery(CompiledQuery.raw(sql))
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize)
  }
}

/**
 * One connection, lent to one user at a time. Whoever has written waits for the disk after having given it back, so that
 * others work meanwhile and one wait serves all. Writers take the write lock at the start: a deferred transaction that
 * turns into a writer fails at once when another one writes, without waiting.
 */
export class LeasingDriver implements Driver {
  readonly #inner: SqliteDriver
  readonly #database: LeasedDatabase
  #connection: Promise<DatabaseConnection> | null = null
  /** Resolves when whoever came last has given it back. */
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
    this.#connection ??= this.#inner.acquireConnection().then((connection) => new PatientConnection(connection))
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
   * A full disk or an I/O error ends the transaction by itself; a rollback would then hide what had happened. Where the
   * disk refused what was committed, the connection is somebody else's by now.
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
