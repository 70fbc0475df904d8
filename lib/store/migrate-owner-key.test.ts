import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { migrations } from './migrations'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import rows from './testing/old-rows/rows-0007.json'
import { createTestDatabase } from './testing/test-database'

type Row = Record<string, string | number | null>
type Tables = Record<string, Row>

const dir = mkdtempSync(join(tmpdir(), 'nod-migrate-owner-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let files = 0
const open = {
  SQLite: () =>
    Promise.resolve(
      new Kysely<Tables>({ dialect: new NodeSqliteDialect(openNodeSqlite(join(dir, `${(files += 1)}`))) }),
    ),
  PostgreSQL: async () => {
    const pool = new pg.Pool({ connectionString: await createTestDatabase() })
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  },
}
const databases = ['SQLite', 'PostgreSQL'] as const

async function migrate(db: Kysely<Tables>, until: string) {
  const steps = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < until))
  const provider = { getMigrations: () => Promise.resolve(steps) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  expect(error).toBeUndefined()
}

/** Chats of two owners, with rows in every table there was. */
async function filled(database: (typeof databases)[number]): Promise<Kysely<Tables>> {
  const db = await open[database]()
  await migrate(db, '0008')
  for (const [at, row] of rows.conversations.entries()) {
    await db
      .insertInto('conversations')
      .values({ ...row, owner: at % 2 === 0 ? 'ada' : 'eve' })
      .execute()
  }
  for (const name of ['messages', 'calls', 'amendments', 'grants', 'log'] as const) {
    for (const row of rows[name]) await db.insertInto(name).values(row).execute()
  }
  await migrate(db, '0010')
  for (const [at, { id }] of rows.conversations.entries()) {
    const chat = { conversation_id: id }
    await db
      .insertInto('images')
      .values({ ...chat, message_id: 'u', number: at, media_type: 'image/png', data: `${at}` })
      .execute()
    await db
      .insertInto('conversation_tools')
      .values({ ...chat, name: `tool ${at}`, body: '{}' })
      .execute()
    const run = { id: `run ${at}`, ...chat, message_id: 'a', request_id: 'u', stop_requested: 0, heartbeat_at: at }
    const status = at % 3 === 0 ? 'running' : 'ended'
    await db
      .insertInto('runs')
      .values({ ...run, status, ended_at: at % 3 === 0 ? null : at, events_pruned: 0 })
      .execute()
    for (const seq of [1, 2]) await db.insertInto('run_events').values({ run_id: run.id, seq, body: '{}' }).execute()
  }
  return db
}

const names = [...Object.keys(rows), 'images', 'conversation_tools', 'runs', 'run_events']
/** Whatever the order of rows and columns. */
const ordered = (all: readonly Row[]) =>
  all
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1))))
    .toSorted((one, other) => (one < other ? -1 : 1))
const contents = async (db: Kysely<Tables>, table: string) => db.selectFrom(table).selectAll().execute()

describe.each(databases)('rows from before each said whose it is, on %s', (database) => {
  it('all say it, and nothing else of them changes', async () => {
    const db = await filled(database)
    const conversations = await contents(db, 'conversations')
    const ownerOf = new Map(conversations.map(({ id, owner }) => [id, owner]))
    const chatOf = new Map((await contents(db, 'runs')).map((run) => [run['id'], run['conversation_id']]))
    const before = new Map<string, readonly Row[]>()
    for (const name of names) before.set(name, await contents(db, name))
    await migrate(db, '0011')
    for (const name of names) {
      const expected = (before.get(name) ?? []).map((row) => {
        const chat = row['conversation_id'] ?? chatOf.get(row['run_id'] ?? null) ?? row['id'] ?? null
        return { ...row, owner: ownerOf.get(chat) ?? null }
      })
      expect(expected.length).toBeGreaterThan(0)
      expect([name, ordered(await contents(db, name))]).toEqual([name, ordered(expected)])
    }
    await db.destroy()
  })

  it('follow their conversation to another owner, and go with it', async () => {
    const db = await filled(database)
    await migrate(db, '0011')
    const count = async (owner: string) => {
      const counts = await Promise.all(
        names.map(async (name) => (await db.selectFrom(name).selectAll().where('owner', '=', owner).execute()).length),
      )
      return counts
    }
    const ada = await count('ada')
    const eve = await count('eve')
    await db.updateTable('conversations').set({ owner: 'account' }).where('owner', '=', 'ada').execute()
    expect(await count('account')).toEqual(ada)
    expect(await count('ada')).toEqual(names.map(() => 0))
    expect(await count('eve')).toEqual(eve)
    await db.deleteFrom('conversations').where('owner', '=', 'account').execute()
    expect(await count('account')).toEqual(names.map(() => 0))
    expect(await count('eve')).toEqual(eve)
    await db.destroy()
  })

  it('may have the ids of another owner’s, and are refused what was refused before', async () => {
    const db = await filled(database)
    await migrate(db, '0011')
    const [chat] = await db.selectFrom('conversations').selectAll().where('owner', '=', 'ada').execute()
    const [run] = await db.selectFrom('runs').selectAll().where('status', '=', 'running').execute()
    await db
      .insertInto('conversations')
      .values({ ...chat, owner: 'zoe' })
      .execute()
    const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow(/unique|duplicate|foreign key/i)
    await refused(
      db
        .insertInto('conversations')
        .values({ ...chat })
        .execute(),
    )
    await refused(
      db
        .insertInto('runs')
        .values({ ...run, id: 'another', request_id: 'another' })
        .execute(),
    )
    await refused(
      db
        .insertInto('messages')
        .values({ owner: 'nobody', conversation_id: 'none', id: 'm', seq: 1, body: '{}' })
        .execute(),
    )
    await db.destroy()
  })

  it('are untouched when the step breaks off', async () => {
    const db = await filled(database)
    const before = ordered(await contents(db, 'messages'))
    // A name that the step needs is taken.
    await sql`create table old_run_events (x integer)`.execute(db)
    await expect(migrate(db, '0011')).rejects.toThrow()
    expect(ordered(await contents(db, 'messages'))).toEqual(before)
    await sql`drop table old_run_events`.execute(db)
    await migrate(db, '0011')
    expect(await contents(db, 'messages')).toHaveLength(before.length)
    await db.destroy()
  })
})
