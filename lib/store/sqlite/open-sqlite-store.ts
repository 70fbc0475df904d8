import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { hostTime } from '../database-time'
import { createKyselyStore } from '../kysely-store'
import { migrateToLatest } from '../migrations'
import type { DecodeSettings } from '../rows'
import type { Schema } from '../schema'
import type { Store } from '../store'
import { NodeSqliteDialect, openNodeSqlite } from './node-sqlite-dialect'

/** Opens (or makes) the database file and brings it up to date. Throws what the file system or SQLite says. */
export async function openSqliteStore(
  file: string,
  options: {
    readonly decodeSettings: DecodeSettings
    /** Epoch milliseconds. */
    readonly now?: () => number
  },
): Promise<Store> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const database = openNodeSqlite(file)
  const db = new Kysely<Schema>({ dialect: new NodeSqliteDialect(database) })
  try {
    await migrateToLatest(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return createKyselyStore(db, {
    kind: 'sqlite',
    decodeSettings: options.decodeSettings,
    time: hostTime(options.now ?? Date.now),
    // Kysely hands the one connection to one user at a time, so nobody else commits meanwhile.
    relaxed: (work) =>
      db.connection().execute(async (connection) => {
        database.setSynchronous('NORMAL')
        try {
          return await connection.transaction().execute(work)
        } finally {
          database.setSynchronous('FULL')
        }
      }),
  })
}
