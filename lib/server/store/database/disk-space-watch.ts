import { sql, type Kysely, type LogEvent } from 'kysely'
import type { Schema } from '../ports/schema'
import { isDiskFull } from '../ports/store-error'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** More than what a page or a log keeps in reserve. */
const PROBE_CHARS = 256 * 1024

/**
 * Whether the database has room. A full one still answers every question, so it is asked to write once something did not
 * fit, until something fits again: an answer is then what it says.
 */
export function createDiskSpaceWatch() {
  let wasFull = false
  return {
    /** For Kysely: hears of every statement that failed; `others` of all. */
    logWith:
      (others: (event: LogEvent) => void = () => {}) =>
      (event: LogEvent): void => {
        if (event.level === 'error' && isDiskFull(event.error)) wasFull = true
        others(event)
      },

    /** Throws what the database says when it is away or full. */
    ping: async (db: Kysely<Schema>): Promise<void> => {
      if (!wasFull) return void (await sql`select 1`.execute(db))
      await writeAndForget(db)
      wasFull = false
    },
  }
}

/** A row that nobody ever sees: written and taken back in one transaction. */
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
 * Makes a folder and what is missing above it, for this user alone. Throws what the file system says. One level after the
 * other: where a folder cannot be made (procfs, some FUSE), Node's own recursive mkdir tries for ever.
 */
export function makeDataFolder(dir: string): void {
  const missing: string[] = []
  for (let at = dir; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: 0o700 })
    } catch (error) {
      // Another starter was faster.
      if (!existsSync(one)) throw error
    }
  }
  if (!statSync(dir).isDirectory()) throw Object.assign(new Error(`${dir} is no folder`), { code: 'ENOTDIR' })
}
