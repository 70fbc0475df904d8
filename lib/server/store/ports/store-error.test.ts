import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { NodeSqliteDialect, openNodeSqlite } from '../sqlite/node-sqlite-dialect'
import { asStoreError, libraryTexts } from './store-error'
import { createTestDatabase } from '../testing/test-database'

/* Each library's error for an unavailable database is in our table: provoked, not copied. */

const folder = mkdtempSync(path.join(tmpdir(), 'nod-errors-'))
const silent: Server[] = []
afterAll(() => {
  for (const server of silent) server.close()
  rmSync(folder, { recursive: true, force: true })
})

const thrownBy = async (work: () => unknown): Promise<Error> => {
  try {
    await work()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

/** Accepts connections and never responds. */
async function silentServer(): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  silent.push(server.unref())
  const address = server.address()
  return `postgresql://nod@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/nod`
}

async function connected(more: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await createTestDatabase(), ...more })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Terminates a client's connection from outside, like an administrator. */
async function terminate(client: pg.Client, connectionString: string): Promise<void> {
  const other = new pg.Client({ connectionString })
  await other.connect()
  await other.query('select pg_terminate_backend($1)', [(client as unknown as { processID: number }).processID])
  await other.end()
}

const provoked: Readonly<Record<string, () => Promise<Error>>> = {
  'timeout expired': async () => {
    const client = new pg.Client({ connectionString: await silentServer(), connectionTimeoutMillis: 50 })
    client.on('error', () => {})
    return thrownBy(() => client.connect())
  },
  'Connection terminated': async () => {
    const client = await connected()
    const asked = thrownBy(() => client.query('select pg_sleep(5)'))
    void client.end()
    return asked
  },
  'Connection terminated unexpectedly': async () => {
    const client = await connected()
    const asked = thrownBy(() => client.query('select pg_sleep(5)'))
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    return asked
  },
  'Client has encountered a connection error and is not queryable': async () => {
    const client = await connected()
    const broken = new Promise((resolve) => client.once('error', resolve))
    ;(client as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection.stream.destroy(
      new Error('the line broke'),
    )
    await broken
    return thrownBy(() => client.query('select 1'))
  },
  'Client was closed and is not queryable': async () => {
    const client = await connected()
    await client.end()
    return thrownBy(() => client.query('select 1'))
  },
  'Query read timeout': async () => {
    const client = await connected({ query_timeout: 30 })
    const error = await thrownBy(() => client.query('select pg_sleep(1)'))
    await client.end()
    return error
  },
  'timeout exceeded when trying to connect': async () => {
    const connectionString = await createTestDatabase()
    const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 300 })
    const held = await pool.connect()
    const error = await thrownBy(() => pool.connect())
    held.release()
    await pool.end()
    return error
  },
  'Connection terminated due to connection timeout': async () => {
    const pool = new pg.Pool({ connectionString: await silentServer(), connectionTimeoutMillis: 50 })
    return thrownBy(() => pool.connect())
  },
  'Cannot use a pool after calling end on the pool': async () => {
    const pool = new pg.Pool({ connectionString: await silentServer() })
    await pool.end()
    return thrownBy(() => pool.connect())
  },
  'driver has already been destroyed': async () => {
    const db = new Kysely<never>({ dialect: new NodeSqliteDialect(openNodeSqlite(':memory:')) })
    await sql`select 1`.execute(db)
    await db.destroy()
    return thrownBy(() => sql`select 1`.execute(db))
  },
  'database is not open': async () => {
    const database = new DatabaseSync(':memory:')
    database.close()
    return thrownBy(() => database.exec('select 1'))
  },
  'statement has been finalized': async () => {
    const database = new DatabaseSync(':memory:')
    const statement = database.prepare('select 1')
    database.close()
    return thrownBy(() => statement.get())
  },
}

describe('library errors for an unavailable database', () => {
  it('are provoked here, each text of the table', () => {
    expect(Object.keys(provoked).toSorted()).toEqual([...libraryTexts.keys()].toSorted())
  })

  it.each(Object.entries(provoked))('%s', async (text, provoke) => {
    const error = await provoke()
    expect(error.message).toBe(text)
    expect(asStoreError(error)).toMatchObject({ code: 'unavailable' })
  })

  it('include a connection that ended while it was written to', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    silent.push(server.unref())
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    for (const end of ['destroy', 'end'] as const) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => {})
      socket[end]()
      const error = await new Promise<unknown>((resolve) => void socket.write('query', resolve))
      expect(asStoreError(error)).toMatchObject({ code: 'unavailable' })
    }
  })

  it.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETRESET'])('include %s of the system', (code) => {
    expect(asStoreError(Object.assign(new Error('connect'), { code }))).toMatchObject({ code: 'unavailable' })
  })

  it('include PostgreSQL’s codes: ended by an administrator, out of time, out of connections, read-only', async () => {
    const connectionString = await createTestDatabase()
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    await client.connect()
    const asked = thrownBy(() => client.query('select pg_sleep(5)'))
    await terminate(client, connectionString)
    const ended = await asked
    expect(ended).toMatchObject({ code: '57P01' })
    expect(asStoreError(ended)).toMatchObject({ reason: 'store.no-answer' })

    const other = new pg.Client({ connectionString })
    await other.connect()
    await other.query('set statement_timeout = 20')
    expect(asStoreError(await thrownBy(() => other.query('select pg_sleep(1)')))).toMatchObject({
      reason: 'store.no-answer',
    })
    await other.query('set statement_timeout = 0')
    await other.query('create table t (n integer)')
    await other.query('set default_transaction_read_only = on')
    expect(asStoreError(await thrownBy(() => other.query('insert into t values (1)')))).toMatchObject({
      reason: 'store.read-only',
    })
    await other.query('set default_transaction_read_only = off')
    // An invalid query does not mean that the database is unavailable.
    expect(asStoreError(await thrownBy(() => other.query('select nothing from nowhere')))).toBeNull()
    await other.end()
  })

  it('include SQLite’s codes: busy, read-only, full, damaged, no database', async () => {
    const file = path.join(folder, 'a.sqlite')
    const one = new DatabaseSync(file, { timeout: 0 })
    one.exec('create table t (n text); begin immediate')
    const two = new DatabaseSync(file, { timeout: 0 })
    expect(asStoreError(await thrownBy(() => two.exec('begin immediate')))).toMatchObject({ reason: 'store.no-answer' })
    one.exec('commit')
    const readOnly = new DatabaseSync(file, { readOnly: true })
    expect(asStoreError(await thrownBy(() => readOnly.exec("insert into t values ('x')")))).toMatchObject({
      reason: 'store.read-only',
    })
    one.exec('pragma max_page_count = 2')
    expect(
      asStoreError(await thrownBy(() => one.exec(`insert into t values ('${'x'.repeat(100_000)}')`))),
    ).toMatchObject({ reason: 'store.disk-full' })
    for (const database of [one, two, readOnly]) database.close()
    const damaged = path.join(folder, 'damaged.sqlite')
    const whole = new DatabaseSync(damaged)
    whole.exec('create table t (n text)')
    whole.exec(`insert into t values ('${'x'.repeat(50_000)}')`)
    whole.close()
    const bytes = readFileSync(damaged)
    writeFileSync(damaged, bytes.fill(0xff, 4_096, 12_288))
    const broken = new DatabaseSync(damaged)
    expect(asStoreError(await thrownBy(() => broken.prepare('select * from t').all()))).toMatchObject({
      reason: 'store.damaged',
    })
    broken.close()
    const junk = path.join(folder, 'junk.sqlite')
    writeFileSync(junk, 'this is no database, but it is long enough to be read as one. '.repeat(100))
    const noDatabase = new DatabaseSync(junk)
    expect(asStoreError(await thrownBy(() => noDatabase.exec('select * from t')))).toMatchObject({
      reason: 'store.no-database',
    })
    noDatabase.close()
  })
})
