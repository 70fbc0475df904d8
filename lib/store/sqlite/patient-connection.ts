import { setTimeout as wait } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

const SQLITE_BUSY = 5
const PATIENCE_MS = 10_000

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === SQLITE_BUSY

/**
 * Waits for another writer without blocking: SQLite's own busy handler sleeps on the thread of all requests, and a
 * second connection of this very process would wait for itself. A busy statement had no effect, so it can be repeated.
 */
export class PatientConnection implements DatabaseConnection {
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
