import { Kysely, sql, type Transaction } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { prepared, preparedWrite } from '../database/database-time'
import { createTestDatabase } from '../testing/test-database'
import { makePool } from './make-pool'
import { PooledDialect } from './open-postgres-store'

interface Tables {
  readonly numbers: { readonly n: number }
}

async function open(isDirect: () => boolean = () => true) {
  const pool = makePool(await createTestDatabase(), 1, isDirect)
  const db = new Kysely<Tables>({ dialect: new PooledDialect({ pool }) })
  onTestFinished(() => db.destroy())
  await db.schema
    .createTable('numbers')
    .addColumn('n', 'integer', (column) => column.primaryKey())
    .execute()
  const insert = preparedWrite<{ n: number }>((some, { n }) =>
    (some as never as typeof db).insertInto('numbers').values({ n }),
  )
  const read = prepared<{ least: number }, { n: number }>((some, { least }) =>
    (some as never as typeof db).selectFrom('numbers').select('n').where('n', '>=', least).orderBy('n'),
  )
  return {
    db,
    insert: (trx: Transaction<Tables>, n: number) => insert(trx, { n }),
    read: async (on: Kysely<Tables>) => (await read(on as never, { least: 0 })).rows.map(({ n }) => n),
  }
}

const taken = /duplicate key/

it('a statement sees the writes before it, and the commit keeps all of them', async () => {
  const { db, insert, read } = await open()
  await db.transaction().execute(async (trx) => {
    for (const n of [1, 2, 3]) await insert(trx, n)
    expect(await read(trx)).toEqual([1, 2, 3])
    await insert(trx, 4)
  })
  expect(await read(db)).toEqual([1, 2, 3, 4])
})

it.each([
  [
    'the next statement',
    async (trx: Transaction<Tables>, read: (trx: Transaction<Tables>) => Promise<unknown>) => read(trx),
  ],
  ['the commit', () => Promise.resolve()],
])('a write that fails fails %s with its own error, and nothing of its transaction is kept', async (_, after) => {
  const { db, insert, read } = await open()
  await db.transaction().execute((trx) => insert(trx, 2))
  const failing = db.transaction().execute(async (trx) => {
    for (const n of [1, 2, 3, 2]) await insert(trx, n)
    await after(trx, read)
  })
  await expect(failing).rejects.toThrow(taken)
  expect(await read(db)).toEqual([2])
  // The next transaction of the same connection is not affected.
  await db.transaction().execute((trx) => insert(trx, 5))
  expect(await read(db)).toEqual([2, 5])
})

it('a refusal after a write that fails stays the refusal, and the connection goes on', async () => {
  const { db, insert, read } = await open()
  await db.transaction().execute((trx) => insert(trx, 1))
  const refused = db.transaction().execute(async (trx) => {
    await insert(trx, 1)
    throw new Error('full')
  })
  await expect(refused).rejects.toThrow('full')
  expect(await read(db)).toEqual([1])
})

it('outside of a transaction, and on a shared connection, each write is waited for', async () => {
  let isDirect = true
  const { db, insert } = await open(() => isDirect)
  const outside = (n: number) => insert(db as never, n)
  await outside(1)
  await expect(outside(1)).rejects.toThrow(taken)
  isDirect = false
  const shared = db.transaction().execute(async (trx) => {
    await expect(insert(trx, 1)).rejects.toThrow(taken)
    throw new Error('aborted')
  })
  await expect(shared).rejects.toThrow('aborted')
})

it('a write that failed unseen does not fail a later transaction, even if the connection becomes shared meanwhile', async () => {
  let isDirect = true
  const { db, insert, read } = await open(() => isDirect)
  const failing = db.transaction().execute(async (trx) => {
    await insert(trx, 1)
    await insert(trx, 1)
    isDirect = false
  })
  await expect(failing).rejects.toThrow(taken)
  isDirect = true
  await db.transaction().execute((trx) => insert(trx, 2))
  expect(await read(db)).toEqual([2])
})

it('a transaction that only reads sees one state, refuses writes, and leaves nothing behind when it fails', async () => {
  const { db, insert, read } = await open()
  await db.transaction().execute((trx) => insert(trx, 1))
  const reading = () => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  expect(await reading().execute(read)).toEqual([1])
  const writing = reading().execute(async (trx) => {
    await insert(trx, 9)
    await read(trx)
  })
  await expect(writing).rejects.toThrow(/read-only transaction/)
  await expect(reading().execute(() => Promise.reject(new Error('left')))).rejects.toThrow('left')
  await db.transaction().execute((trx) => insert(trx, 2))
  expect(await read(db)).toEqual([1, 2])
})

it('a connection that is cut after a write fails its transaction', async () => {
  const { db, insert } = await open()
  const cut = db.transaction().execute(async (trx) => {
    await insert(trx, 1)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
  })
  await expect(cut).rejects.toThrow()
})
