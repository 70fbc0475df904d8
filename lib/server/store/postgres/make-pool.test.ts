import { expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../testing/test-database'
import { keepStatementPlan } from '../database/database-time'
import { makePool } from './make-pool'

it('a connection that is cut within a transaction fails only that transaction', async () => {
  const pool = makePool(await createTestDatabase(), 2)
  onTestFinished(() => pool.end())
  pool.on('error', () => {})
  const client = await pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await client.query('begin')
  const broke = new Promise((resolve) => client.once('end', resolve))
  await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await broke
  await expect(client.query('commit')).rejects.toThrow()
  client.release(true)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('a request for a pooled connection waits longer than one for a server, and not forever', async () => {
  const pool = makePool(await createTestDatabase(), 1)
  onTestFinished(() => pool.end())
  const first = await pool.connect()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const second = pool.connect()
    await vi.advanceTimersByTimeAsync(10_000)
    first.release()
    const client = await second
    const third = pool.connect().catch(String)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await third).toContain('timeout exceeded')
    client.release()
  } finally {
    vi.useRealTimers()
  }
})

it('keeps plans only on connections of its own, and not of statements that return all columns', async () => {
  let isDirect = false
  const pool = makePool(await createTestDatabase(), 1, () => isDirect)
  onTestFinished(() => pool.end())
  const some = keepStatementPlan({ sql: 'select c.relname from pg_class c where c.oid = $1::oid and true' }).sql
  const all = ['select * from pg_class where oid = $1', 'select c.relname, c.* from pg_class c where oid = $1']
  const use = async () => {
    for (const text of [some, ...all.map((sql) => keepStatementPlan({ sql }).sql)]) await pool.query(text, [0])
    const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements')
    return rows.map(({ statement }) => statement)
  }
  expect(await use()).toEqual([])
  isDirect = true
  expect(await use()).toEqual([some])
  expect(await use()).toEqual([some])
})
