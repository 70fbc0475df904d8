import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { decodeTestSettings } from '../testing/rows'
import { createTestDatabase } from '../testing/test-database'
import { openPostgresStore } from './open-postgres-store'

const patience = { timeout: 20_000 }

it('carries messages between processes of one database, also after the connection broke', async () => {
  const url = await createTestDatabase()
  const open = () => openPostgresStore(url, { decodeSettings: decodeTestSettings })
  const [here, there] = await Promise.all([open(), open()])
  const heard: string[] = []
  there.signals?.listen((text) => void heard.push(text))
  const bothListen = () => {
    expect([here.signals?.isListening(), there.signals?.isListening()]).toEqual([true, true])
  }
  await vi.waitFor(bothListen, patience)
  here.signals?.send('wrote a')
  await vi.waitFor(() => expect(heard).toEqual(['wrote a']), patience)

  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_advisory_lock_shared%' and pid <> pg_backend_pid()",
  )
  await vi.waitFor(() => expect(there.signals?.isListening()).toBe(false), patience)
  await vi.waitFor(bothListen, patience)
  here.signals?.send('wrote b')
  await vi.waitFor(() => expect(heard.at(-1)).toBe('wrote b'), patience)
  await client.end()
  await here.close()
  await there.close()
})
