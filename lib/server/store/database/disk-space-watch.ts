import { sql, type Kysely, type LogEvent } from 'kysely'
import type { Schema } from '../ports/schema'
import { isDiskFull } from '../ports/store-error'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** More than the reserve of a page or a log. */
const PROBE_CHARS = 256 * 1024

/**
 * Tracks whether the database has space. A full database still answers queries, so after a write failed for lack of
 * space, health checks also write until a write succeeds again.
 */
export function createDiskSpaceWatch() {
  let wasFull = false
  return {
    /** For Kysely: called for every failed statement; `others` for all. */
    logWith:
      (others: (event: LogEvent) => void = () => {}) =>
      (event: LogEvent): void => {
        if (event.level === 'error' && isDiskFull(event.error)) wasFull = true
        others(event)
      },

    /** Throws the database error if it is unavailable or full. */
    ping: async (db: Kysely<Schema>): Promise<void> => {
      if (!wasFull) return void (await sql`select 1`.execute(db))
      await writeAndForget(db)
      wasFull = false
    },
  }
}

/** Writes and removes a row in one transaction, so that nobody sees it. */
const writeAndForget = (db: Kysely<Schema>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const id = `probe ${crypto.randomUUID()}`
    const row = { owner: '', id, title: '', title_search: '', head_id: null, created_at: 0, updated_at: 0 }
    await trx
      .insertInto('conversations')
      .values({ ...row, settings: 'x'.repeat(PROBE_CHARS) })
      .execute()
    await trx.deleteFrom('conversations').where('owner', '=', '').where('id', '=', id).execute()
  })

/**
 * Creates a folder and its missing parents, for this user only. Throws file system errors. One level after another:
 * where a folder cannot be created (procfs, some FUSE), Node's own recursive mkdir never ends.
 */
export function makeDataFolder(dir: string): void {
  const missing: string[] = []
  for (let at = dir; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: 0o700 })
    } catch (error) {
      // Another process created it first.
      if (!existsSync(one)) throw error
    }
  }
  if (!statSync(dir).isDirectory()) throw Object.assign(new Error(`${dir} is no folder`), { code: 'ENOTDIR' })
}
