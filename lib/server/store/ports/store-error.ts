import type { AppError } from '@/lib/base/app-error'
import { makeError, type KeyOf } from '@/lib/i18n/t'

const SQLITE_FULL = 13

/** SQLite result codes (low byte) that mean "not now" rather than "wrong query". */
/** What is wrong with the storage itself; these need no values. */
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

/** PostgreSQL's codes, by how they begin, that mean the same: classes of connections, resources and operators first. */
const postgresReasons: readonly (readonly [code: string, StoreFault])[] = [
  ['08', 'store.no-answer'],
  // A deadlock, or two transactions that can't both be: the same again works.
  ['40', 'store.no-answer'],
  ['53', 'store.no-answer'],
  ['57P', 'store.no-answer'],
  // A time limit for statements or locks, set by whoever runs the database.
  ['57014', 'store.no-answer'],
  ['55P03', 'store.no-answer'],
  // A standby, as after a failover.
  ['25006', 'store.read-only'],
  ['58', 'store.disk-error'],
  ['XX001', 'store.damaged'],
]

/**
 * What libraries say of a database that is away, and give no code to. Matched word for word: `store-error.test.ts` makes each library say
 * each of them, so a new version with other words is noticed.
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
  // Kysely and node:sqlite, of a store that was closed
  ['driver has already been destroyed', 'store.no-answer'],
  ['database is not open', 'store.no-answer'],
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
  'ENOENT',
])
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
