import { wallClock } from '@/lib/base/clocks'
import { chmodSync, closeSync, existsSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, type LogEvent } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { hostTime } from '../database/database-time'
import { createKyselyStore } from '../kysely-store'
import { migrateToLatest, type OnStep } from '../database/apply-migrations'
import { createDiskSpaceWatch, makeDataFolder } from '../database/disk-space-watch'
import type { DecodeSettings } from '../database/rows'
import type { RelaxedTransaction } from '../chats/run-event-queries'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'
import { NodeSqliteDialect, openNodeSqlite, type NodeSqliteDatabase } from './node-sqlite-dialect'

export interface SqliteStoreOptions {
  readonly decodeSettings: DecodeSettings
  /** The version in release notation; omitted: not recorded. */
  readonly version?: string
  /** Epoch milliseconds. */
  readonly now?: () => number
  readonly onStep?: OnStep
  /** Called for every statement. */
  readonly log?: (event: LogEvent) => void
}

/** A commit needs some pages of the log; with less free space, nothing is safe. */
const MIN_FREE_BYTES = 1024 * 1024

/**
 * Opens (or creates) the database file for this user only, and updates its tables. Throws file system and SQLite
 * errors.
 */
export async function openSqliteStore(file: string, options: SqliteStoreOptions): Promise<Store> {
  makeDataFolder(dirname(file))
  // A database in memory has no file, so none must be created with its name.
  if (file !== ':memory:') restrictToOwner(file)
  const store = await sqliteStoreOn(openNodeSqlite(file), options)
  return {
    ...store,
    async ping() {
      await store.ping()
      const { bavail, bsize } = statfsSync(dirname(file))
      if (bavail * bsize < MIN_FREE_BYTES) throw makeError('unavailable', 'store.disk-full')
    },
  }
}

/** The store on an open database, which `close` closes. */
export async function sqliteStoreOn(database: NodeSqliteDatabase, options: SqliteStoreOptions): Promise<Store> {
  const room = createDiskSpaceWatch()
  const db = new Kysely<Schema>({ dialect: new NodeSqliteDialect(database), log: room.logWith(options.log) })
  try {
    const { version, now = wallClock } = options
    await migrateToLatest(db, version === undefined ? null : { version, now: now() }, options.onStep)
  } catch (error) {
    await db.destroy()
    throw error
  }
  // The single connection has one user at a time, so no other commit happens meanwhile.
  const relaxed: RelaxedTransaction = (work) =>
    db.connection().execute(async (connection) => {
      database.isRelaxed = true
      try {
        return await connection.transaction().execute(work)
      } finally {
        database.isRelaxed = false
      }
    })
  return createKyselyStore(db, {
    kind: 'sqlite',
    decodeSettings: options.decodeSettings,
    time: hostTime(options.now ?? wallClock),
    ping: room.ping,
    relaxed,
    ofReplies: relaxed,
  })
}

/** SQLite creates its log beside the file with the file's own mode. */
export function restrictToOwner(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (!existsSync(path)) continue
    try {
      chmodSync(path, 0o600)
    } catch {
      // Another user's file, or a file system without modes, where the mount options decide.
    }
  }
}
