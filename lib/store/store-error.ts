import { AppError } from '@/lib/base/app-error'

const SENTENCE = 'The storage did not answer. What you wrote is kept in this tab; try again in a moment.'

const SQLITE_FULL = 13

export const diskFullWords = 'The disk is full, so nothing can be saved. Free some space and try again.'

/** SQLite result codes (low byte) that mean "not now" rather than "wrong query". */
const SQLITE_WORDS: ReadonlyMap<number, string> = new Map([
  [5, SENTENCE],
  [6, SENTENCE],
  [8, 'The storage is read-only, so nothing can be saved. Make the data folder writable for the server.'],
  [10, 'The storage could not be read or written (an I/O error). Check the disk of the data folder.'],
  [11, 'The database file is damaged. Put the data folder back from a backup, or move it away to start empty.'],
  [SQLITE_FULL, diskFullWords],
  [14, 'The database file could not be opened. Check that the data folder exists and is writable for the server.'],
  [26, 'The database file is damaged or is no SQLite file. Move it away to start empty.'],
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
  if (!(error instanceof Error)) return null
  if (isDiskFull(error)) return new AppError('unavailable', diskFullWords, { cause: error })
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') {
    const words = SQLITE_WORDS.get(errcode & 0xff)
    return words === undefined ? null : new AppError('unavailable', words, { cause: error })
  }
  if (typeof code !== 'string') {
    return /timeout exceeded when trying to connect|Connection terminated/.test(error.message)
      ? new AppError('unavailable', SENTENCE, { cause: error })
      : null
  }
  if (POSTGRES_UNAVAILABLE.test(code) || NETWORK.has(code))
    return new AppError('unavailable', SENTENCE, { cause: error })
  if (FILES.has(code)) {
    const words = 'The data folder cannot be written. Make it writable for the server, or set NOD_DATA_DIR.'
    return new AppError('unavailable', words, { cause: error })
  }
  return null
}
