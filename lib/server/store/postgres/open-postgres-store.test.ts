import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { decodeTestSettings } from '../testing/rows'
import { createTestDatabase } from '../testing/test-database'
import { openPostgresStore } from './open-postgres-store'

const patience = { timeout: 20_000, interval: 100 }

it('a lock is held while its process has a connection, even if it stalls, and again after it broke', async () => {
  const url = await createTestDatabase()
  const open = () => openPostgresStore(url, { decodeSettings: decodeTestSettings })
  const [here, there] = await Promise.all([open(), open()])
  const own = there.processes?.own ?? 0
  const lives = async (process = own) => here.processes?.lives(process)
  expect(own).not.toBe(here.processes?.own)
  await vi.waitFor(async () => expect(await lives()).toBe(true), patience)
  expect(await lives(own === 1 ? 2 : own - 1)).toBe(false)

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // In another database, the same number is another process.
  const elsewhere = await openPostgresStore(await createTestDatabase(), { decodeSettings: decodeTestSettings })
  expect(await elsewhere.processes?.lives(own)).toBe(false)
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_advisory_lock_shared%' and pid <> pg_backend_pid()",
  )
  await vi.waitFor(async () => expect(await lives()).toBe(false), patience)
  await vi.waitFor(async () => expect(await lives()).toBe(true), patience)
  await there.close()
  await vi.waitFor(async () => expect(await lives()).toBe(false), patience)
  await client.end()
  await Promise.all([here.close(), elsewhere.close()])
})
