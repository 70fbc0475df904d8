import type { AppError } from '@/lib/base/app-error'
import { makeError, type KeyOf } from '@/lib/i18n/t'

const SQLITE_FULL = 13

/** SQLite result codes (low byte) that mean "not now" rather than "invalid query". */
/** Problems with the storage itself; their messages need no values. */
type StoreFault = Extract<
  KeyOf<'store'>,
  `store.${'no-answer' | 'disk-full' | 'read-only' | 'disk-error' | 'damaged' | 'not-opened' | 'no-database' | 'folder-not-writable'}`
>

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

/** PostgreSQL's codes with the same meaning, by prefix: first the classes of connections, resources and operators. */
const postgresReasons: readonly (readonly [code: string, StoreFault])[] = [
  ['08', 'store.no-answer'],
  // A deadlock or a serialization failure: a retry works.
  ['40', 'store.no-answer'],
  ['53', 'store.no-answer'],
  ['57P', 'store.no-answer'],
  // A time limit for statements or locks, set by the database's operator.
  ['57014', 'store.no-answer'],
  ['55P03', 'store.no-answer'],
  // A standby, as after a failover.
  ['25006', 'store.read-only'],
  ['58', 'store.disk-error'],
  ['XX001', 'store.damaged'],
]

/**
 * Library errors for an unavailable database that have no code. Matched exactly: `store-error.test.ts` makes each
 * library throw each of them, so changed texts in a new version are noticed.
 */
export const libraryTexts: ReadonlyMap<string, StoreFault> = new Map([
  // pg
  ['timeout expired', 'store.no-answer'],
  ['Connection terminated', 'store.no-answer'],
  ['Connection terminated unexpectedly', 'store.no-answer'],
  ['Client has encountered a connection error and is not queryable', 'store.no-answer'],
  ['Client was closed and is not queryable', 'store.no-answer'],
  ['Query read timeout', 'store.no-answer'],
  // pg-pool
  ['timeout exceeded when trying to connect', 'store.no-answer'],
  ['Connection terminated due to connection timeout', 'store.no-answer'],
  ['Cannot use a pool after calling end on the pool', 'store.no-answer'],
  // Kysely and node:sqlite, for a closed store
  ['driver has already been destroyed', 'store.no-answer'],
  ['database is not open', 'store.no-answer'],
  ['statement has been finalized', 'store.no-answer'],
])

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'EHOSTDOWN',
  'ENOENT',
  // This machine has no more connections or open files.
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  // The connection ended while a query was written to it.
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_DESTROYED',
])
const FILES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])

/** Covers SQLite, PostgreSQL and the file system. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_FULL
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT'
}

/**
 * Converts a database or driver error to a refusal with a sentence; null if the error is not about an unavailable
 * storage.
 */
export function asStoreError(error: unknown): AppError | null {
  const reason = error instanceof Error ? reasonOf(error) : null
  return reason && makeError('unavailable', reason, {}, { cause: error })
}

function reasonOf(error: Error): StoreFault | null {
  if (isDiskFull(error)) return 'store.disk-full'
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') return sqliteReasons.get(errcode & 0xff) ?? null
  const byText = libraryTexts.get(error.message)
  if (byText) return byText
  if (typeof code !== 'string') return null
  if (code === 'EIO') return 'store.disk-error'
  if (NETWORK.has(code)) return 'store.no-answer'
  const byCode = postgresReasons.find(([start]) => code.startsWith(start))?.[1]
  if (byCode && /^[0-9A-Z]{5}$/.test(code)) return byCode
  return FILES.has(code) ? 'store.folder-not-writable' : null
}

export type HeadMoved = 'chat.went-on' | 'chat.results.elsewhere'

/** The refusal of an append with an outdated head. `headId`: the current one; null: before its first message. */
export const headMoved = (headId: string | null, reason: HeadMoved = 'chat.went-on'): AppError =>
  makeError('conflict', reason, {}, { headId })
