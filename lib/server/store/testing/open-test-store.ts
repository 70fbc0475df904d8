import { rmSync } from 'node:fs'
import { openPostgresStore } from '../postgres/open-postgres-store'
import type { DecodeSettings } from '../database/rows'
import { openSqliteStore } from '../sqlite/open-sqlite-store'
import type { Store } from '../ports/store'
import { createTestDatabase, createTestFile } from './test-database'
import { track } from './pending-store'

/**
 * A new store for tests of code that uses it. The test project chooses the database (`vitest.config.ts`), so that every
 * such test runs on both.
 */
export async function openTestStore(options: {
  readonly decodeSettings: DecodeSettings
  /** The database's clock, epoch milliseconds; omitted: its own. */
  readonly now?: () => number
}): Promise<Store> {
  if (process.env['NOD_TEST_STORE'] === 'postgres') {
    // Signals arrive at unpredictable times; tests with a manual clock provide their own.
    const { signals: _, ...store } = await openPostgresStore(await createTestDatabase('tables'), options)
    return track(store)
  }
  const { dir, file } = await createTestFile()
  const store = track(await openSqliteStore(file, options))
  return {
    ...store,
    close: async () => {
      await store.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
