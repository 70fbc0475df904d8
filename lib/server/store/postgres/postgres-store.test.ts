import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Schema } from '../ports/schema'
import { asStoreError } from '../ports/store-error'
import { decodeTestSettings, finishedEnding, runOf, testConversation, testPlan } from '../testing/rows'
import { shippedStore } from '../testing/shipped-store'
import { postgresReader } from '../testing/statements/postgres-reader'
import { createTestDatabase } from '../testing/test-database'
import { openPostgresStore } from './open-postgres-store'

const options = { decodeSettings: decodeTestSettings }

shippedStore('PostgreSQL', {
  kind: 'postgres',
  make: createTestDatabase,
  open: openPostgresStore,
  tables: (url) =>
    new Kysely<Schema>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }) }),
  reader: postgresReader,
})

describe('the PostgreSQL store', () => {
  it('locks for a transaction only, because behind a pooler the next one has another connection', async () => {
    const statements: string[] = []
    const log = ({ query }: LogEvent) => void statements.push(query.sql)
    const url = await createTestDatabase()
    for (const _ of ['new', 'existing']) await (await openPostgresStore(url, { ...options, log })).close()
    const locks = statements.filter((text) => text.includes('advisory'))
    expect(locks.length).toBeGreaterThan(1)
    expect(locks.filter((text) => !text.includes('pg_advisory_xact_lock('))).toEqual([])
  })

  it('reports with a sentence that the server is unavailable', async () => {
    const gone = await openPostgresStore('postgresql://nobody@/none?host=/tmp/no-such-socket-folder', options).catch(
      (error: unknown) => asStoreError(error),
    )
    expect(gone).toMatchObject({ code: 'unavailable' })
  })

  it('takes heartbeat times from the server, whatever this process’s clock says', async () => {
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

  it('sends heartbeats and answers health checks while requests use all other connections', async () => {
    const store = await openPostgresStore(await createTestDatabase(), { ...options, maxConnections: 4 })
    await store.createConversation('ada', testConversation('c'))
    const { reply } = testPlan('c', 1)
    await store.append('ada', 'c', 'u1', testPlan('c', 1), 1)
    const { db } = store.database
    const { promise: over, resolve: release } = Promise.withResolvers<void>()
    const begun: Promise<void>[] = []
    const held = [1, 2].map(() => {
      const { promise, resolve } = Promise.withResolvers<void>()
      begun.push(promise)
      return db.connection().execute(() => (resolve(), over))
    })
    await Promise.all(begun)
    const waiting = store.listConversations('ada', '', 1)
    await store.ping()
    expect(await store.appendRunEvents(runOf('ada', reply), [])).toMatchObject({ live: true })
    expect(await store.processes?.lives(1)).toBe(false)
    release()
    expect(await waiting).toHaveLength(1)
    await Promise.all(held)
    await store.close()
  })

  it('does not count time before the server was up as missing heartbeats', async () => {
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
})

// A pooler keeps connections open, and never listens.
describe.skipIf(process.env['TEST_POOLER'] !== undefined)('the PostgreSQL store without a pooler', () => {
  it('leaves no connection open after it is closed, even if only replies used theirs', async () => {
    const url = await createTestDatabase()
    const store = await openPostgresStore(url, options)
    await store.createConversation('ada', testConversation('c'))
    await store.append('ada', 'c', 'u1', testPlan('c', 1), 1)
    await store.appendRunEvents(runOf('ada', testPlan('c', 1).reply), [])
    await store.close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    const others =
      'select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    await expect.poll(async () => (await client.query<{ n: number }>(others)).rows[0]?.n).toBe(0)
  })

  it('goes on with its kept plans while another node adds columns', async () => {
    const url = await createTestDatabase()
    const store = await openPostgresStore(url, { ...options, maxConnections: 3 })
    await vi.waitFor(() => expect(store.signals?.isListening()).toBe(true), { timeout: 20_000 })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const turn = async (id: string) => {
      await store.createConversation('ada', testConversation(id), null, { isFollowed: true })
      const plan = testPlan(id, 1)
      const claim = { maxRunning: 99, waits: false, maxQueued: 9, maxBytes: 1e9, address: null, budgets: [] }
      await store.append('ada', id, 'u1', { ...plan, claim: { ...claim, tokens: { in: 1, out: 1 } } }, 2_000)
      const run = runOf('ada', plan.reply)
      await store.appendRunEvents(run, [{ seq: 2, type: 'delta', channel: 'text', text: 'a' }])
      expect((await store.readRunEvents(run, 0, 9))?.events).toHaveLength(2)
      expect(await store.findAppend('ada', id, 'u1')).toMatchObject({ replayed: true })
      expect(await store.endRun(run, finishedEnding(), 3_000)).toBe(true)
      expect(await store.loadBranch('ada', id, { limit: 9 })).toMatchObject({ messages: { length: 2 } })
    }
    for (let n = 0; n < 8; n += 1) await turn(`before ${n}`)
    const tables = "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
    const { rows } = await client.query<{ relname: string }>(tables)
    expect(rows.length).toBeGreaterThan(10)
    for (const { relname } of rows) await client.query(`alter table ${relname} add column later text`)
    for (let n = 0; n < 4; n += 1) await turn(`after ${n}`)
    await client.end()
    await store.close()
  })
})
