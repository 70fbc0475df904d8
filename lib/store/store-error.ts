import type { AppError } from '@/lib/base/app-error'
import { storeError, type StoreFault } from '@/lib/words/store'

const SQLITE_FULL = 13

/** SQLite result codes (low byte) that mean "not now" rather than "wrong query". */
const sqliteReasons: ReadonlyMap<number, StoreFault> = new Map([
  [5, 'store.no-answer'],
  [6, 'store.no-answer'],
  [8, 'store.read-only'],
  [10, 'store.disk-error'],
  [11, 'store.damaged'],
  [SQLITE_FULL, 'store.disk-full'],
  [14, 'store.not-opened'],
  [26, 'store.no-database'],
])

const POSTGRES_UNAVAILABLE = /^(08|53|57P)/
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH', 'ENOENT'])
const FILES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])

/** Of SQLite, PostgreSQL and the file system. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_FULL
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT'
}

/** A database's or driver's error as a refusal with a sentence, or null when it is not about the storage being away. */
export function asStoreError(error: unknown): AppError | null {
  const reason = error instanceof Error ? reasonOf(error) : null
  return reason && storeError('unavailable', reason, {}, { cause: error })
}

function reasonOf(error: Error): StoreFault | null {
  if (isDiskFull(error)) return 'store.disk-full'
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') return sqliteReasons.get(errcode & 0xff) ?? null
  if (typeof code !== 'string') {
    return /timeout exceeded when trying to connect|Connection terminated/.test(error.message)
      ? 'store.no-answer'
      : null
  }
  if (code === 'EIO') return 'store.disk-error'
  if (POSTGRES_UNAVAILABLE.test(code) || NETWORK.has(code)) return 'store.no-answer'
  return FILES.has(code) ? 'store.folder-not-writable' : null
}
