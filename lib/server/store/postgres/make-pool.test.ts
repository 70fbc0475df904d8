import { expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../testing/test-database'
import { makePool } from './open-postgres-store'

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
