import { rmSync } from 'node:fs'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { openPostgresStore } from '../postgres/open-postgres-store'
import type { DecodeSettings } from '../database/rows'
import type { Schema } from '../ports/schema'
import { NodeSqliteDialect, openNodeSqlite } from '../sqlite/node-sqlite-dialect'
import { openSqliteStore } from '../sqlite/open-sqlite-store'
import type { Store } from '../ports/store'
import { track } from './pending-store'
import { createTestDatabase, createTestFile } from './test-database'

/**
 * A new store, and direct access to its tables: for tests that write rows that no store would. Uses the database of
 * `openTestStore`.
 */
export async function openRawStore(options: { readonly decodeSettings: DecodeSettings }): Promise<{
  readonly store: Store
  readonly tables: Kysely<Schema>
  readonly close: () => Promise<void>
}> {
  if (process.env['NOD_TEST_STORE'] === 'postgres') {
    const url = await createTestDatabase('tables')
    const store = track(await openPostgresStore(url, options))
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    return { store, ...withTables(store, new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })) }
  }
  const { dir, file } = await createTestFile()
  const store = track(await openSqliteStore(file, options))
  const tables = new Kysely<Schema>({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) })
  return { store, ...withTables(store, tables, () => rmSync(dir, { recursive: true, force: true })) }
}

const withTables = (store: Store, tables: Kysely<Schema>, remove: () => void = () => {}) => ({
  tables,
  close: async () => {
    await tables.destroy()
    await store.close()
    remove()
  },
})
