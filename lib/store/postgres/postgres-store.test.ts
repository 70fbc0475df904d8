import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import type { Schema } from '../schema'
import { asStoreError } from '../store-error'
import { everyContract } from '../testing/every-contract'
import { decodeTestSettings, runOf, testConversation, testPlan } from '../testing/rows'
import { postgresReader } from '../testing/statements/postgres-reader'
import { statementRules } from '../testing/statements/statement-rules'
import { watchStatements } from '../testing/statements/watch-statements'
import { runStoreProcesses } from '../testing/store-processes'
import { createTestDatabase } from '../testing/test-database'
import { openPostgresStore } from './open-postgres-store'

const options = { decodeSettings: decodeTestSettings }

const watch = watchStatements()
const openBoth = async (now?: () => number) => {
  const both = { ...options, log: watch.log, ...(now && { now }) }
  const url = await createTestDatabase()
  // Both at once on an empty database: migrations must not race.
  const open = () => watch.open(() => openPostgresStore(url, both))
  const [store, other] = await Promise.all([open(), open()])
  return {
    store,
    other,
    close: async () => {
      await store.close()
      await other.close()
    },
  }
}
const openTables = async () => {
  const url = await createTestDatabase()
  await (await openPostgresStore(url, options)).close()
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }) })
}
everyContract('PostgreSQL', openBoth)
statementRules('PostgreSQL', watch, openTables, postgresReader)

describe('the PostgreSQL store', () => {
  it('says in words when the server is away', async () => {
    const gone = await openPostgresStore('postgresql://nobody@/none?host=/tmp/no-such-socket-folder', options).catch(
      (error: unknown) => asStoreError(error),
    )
    expect(gone).toMatchObject({ code: 'unavailable' })
  })

  it('takes the time of hearts from the server, whatever this process thinks', async () => {
    const store = await openPostgresStore(await createTestDatabase(), options)
    for (const skewMs of [-3_600_000, 3_600_000]) {
      const here = Date.now()
      const lying = vi.spyOn(Date, 'now').mockReturnValue(here + skewMs)
      const id = `skewed by ${skewMs}`
      await store.createConversation('ada', testConversation(id))
      const { reply } = testPlan(id, 1)
      await store.append('ada', id, 'u1', testPlan(id, 1), Date.now())
      await store.appendRunEvents(runOf('ada', reply), [])
      const run = await store.loadRun(runOf('ada', reply))
      expect(Math.abs(run?.silentMs ?? Number.NaN)).toBeLessThan(600_000)
      expect(await store.staleRuns(600_000)).toEqual([])
      lying.mockRestore()
    }
    await store.close()
  })

  it('counts no silence from before the server itself was up', async () => {
    const url = await createTestDatabase()
    const store = await openPostgresStore(url, options)
    await store.createConversation('ada', testConversation('c'))
    const { reply } = testPlan('c', 1)
    await store.append('ada', 'c', 'u1', testPlan('c', 1), 1)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('update runs set heartbeat_at = 0')
    const silentMs = (await store.loadRun(runOf('ada', reply)))?.silentMs ?? Number.NaN
    const { rows } = await client.query<{ up: string }>(
      'select extract(epoch from clock_timestamp() - pg_postmaster_start_time()) * 1000 as up',
    )
    expect(silentMs).toBeGreaterThan(0)
    expect(silentMs).toBeLessThanOrEqual(Math.ceil(Number(rows[0]?.up)))
    await client.end()
    await store.close()
  })

  it('serves four processes that migrate, append and decide at once', async () => {
    const url = await createTestDatabase()
    const totals = await runStoreProcesses({ kind: 'postgres', target: url }, 4)
    expect(totals).toEqual({ starts: 4, appended: 80, granted: 10, messages: 160, gaps: 0 })
  })
})
