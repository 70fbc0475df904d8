import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { migrateToLatest, migrations } from './migrations'
import { openPostgresStore } from './postgres/open-postgres-store'
import type { Schema } from './schema'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import { openSqliteStore } from './sqlite/open-sqlite-store'
import { openRawStore } from './testing/open-raw-store'
import { expectPartsOfWhole, importedOf, messagesOfForest } from './testing/branches'
import { decodeTestSettings, testPlan, testReply, testSettings } from './testing/rows'
import { createTestDatabase } from './testing/test-database'

const options = { decodeSettings: decodeTestSettings }

interface OldSchema {
  conversations: Record<'id' | 'owner' | 'title' | 'title_search' | 'settings' | 'head_id', string> &
    Record<'created_at' | 'updated_at', number>
  messages: { conversation_id: string; id: string; seq: number; body: string }
}

/** What rows held before they had columns for their places: two chats that fork, and one whose rows are damaged. */
async function fillOld(db: Kysely<OldSchema>): Promise<void> {
  const old = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0010'))
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(old) },
  }).migrateToLatest()
  expect(error).toBeUndefined()
  const forests = { c1: [0, 1, 1, 2, 1, 0, 3, 1], c2: [0, ...Array.from({ length: 450 }, () => 1)] }
  const rows = Object.entries(forests).flatMap(([id, forest]) =>
    messagesOfForest(id, forest).map((message, at) => [id, at + 1, message.id, JSON.stringify(message)] as const),
  )
  const circle = JSON.stringify(testReply('c3', 'a', 'b', { outcome: 'finished' }))
  const writing = JSON.stringify(testReply('c3', 'd', 'c'))
  const damaged = ['{"role":"user","parentId":null', circle, 'nothing', '{"role":"user","parentId":"a","text', writing]
  const broken = damaged.map((body, at) => ['c3', at + 1, ['u', 'a', 'b', 'c', 'd'][at] ?? '', body] as const)
  for (const id of ['c1', 'c2', 'c3']) {
    const words = { title: id, title_search: id, settings: JSON.stringify(testSettings), head_id: 'm3' }
    await db
      .insertInto('conversations')
      .values({ id, owner: 'ada', ...words, created_at: 1, updated_at: 1 })
      .execute()
  }
  for (const [conversation_id, seq, id, body] of [...rows, ...broken]) {
    await db.insertInto('messages').values({ conversation_id, seq, id, body }).execute()
  }
}

const columns = (db: Kysely<Schema>, id: string) =>
  db
    .selectFrom('messages')
    .select(['id', 'parent_id', 'depth', 'open_ends', 'stamp'])
    .where('conversation_id', '=', id)
    .orderBy('seq')
    .execute()

async function expectPlaces(db: Kysely<Schema>): Promise<void> {
  await migrateToLatest(db)
  const first = await columns(db, 'c1')
  expect(first.map(({ parent_id, depth }) => `${parent_id}${Number(depth)}`)).toEqual([
    '1',
    'm02',
    'm13',
    'm13',
    'm34',
    '1',
    'm34',
    'm65',
  ])
  expect(first.map(({ open_ends }) => Number(open_ends))).toEqual([0, 0, 0, 1, 1, 0, 1, 2])
  expect(new Set(first.map(({ stamp }) => stamp))).toEqual(new Set(['first']))
  const long = await columns(db, 'c2')
  expect(long.at(-1)).toMatchObject({ id: 'm450', parent_id: 'm449' })
  expect(Number(long.at(-1)?.depth)).toBe(451)
  const broken = await columns(db, 'c3')
  expect(broken.map(({ id, parent_id, stamp }) => [id, parent_id, stamp])).toEqual([
    ['u', '', null],
    ['a', 'u', 'first'],
    ['b', 'a', null],
    ['c', 'a', null],
    ['d', 'c', null],
  ])
}

describe('a database whose messages do not say where they stand', () => {
  const dir = mkdtempSync(join(tmpdir(), 'nod-lines-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('says it from then on, on SQLite', async () => {
    const file = join(dir, 'old.sqlite')
    const db = new Kysely<OldSchema & Schema>({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) })
    await fillOld(db)
    await expectPlaces(db)
    await db.destroy()
    const store = await openSqliteStore(file, options)
    for (const id of ['c1', 'c3']) expect(await expectPartsOfWhole(store, 'ada', id)).toBeGreaterThan(20)
    await store.close()
  })

  it('says it from then on, on PostgreSQL', async () => {
    const url = await createTestDatabase()
    const pool = new pg.Pool({ connectionString: url })
    const db = new Kysely<OldSchema & Schema>({ dialect: new PostgresDialect({ pool }) })
    await fillOld(db)
    await expectPlaces(db)
    await db.destroy()
    const store = await openPostgresStore(url, options)
    for (const id of ['c1', 'c3']) expect(await expectPartsOfWhole(store, 'ada', id)).toBeGreaterThan(20)
    await store.close()
  })
})

describe('rows that were damaged, or written past their columns', () => {
  it('are in every part of a line what they are in the whole', async () => {
    const raw = await openRawStore(options)
    const ruins = [
      { parent_id: null, depth: null, open_ends: null },
      { parent_id: 'nobody' },
      { parent_id: 'm5' },
      { body: 'nothing' },
      { body: '{"role":"assistant","parentId":"m1","outcome":null' },
      { body: JSON.stringify(testReply('d', 'm3', 'm0')) },
    ]
    for (const [at, ruin] of ruins.entries()) {
      const id = `d${at}`
      await raw.store.importConversation('ada', importedOf(id, messagesOfForest(id, [0, 1, 1, 1, 1, 1, 3])), 5)
      await raw.tables
        .updateTable('messages')
        .set(ruin)
        .where('conversation_id', '=', id)
        .where('id', '=', 'm3')
        .execute()
      const misplaced = typeof ruin.parent_id === 'string'
      expect(await expectPartsOfWhole(raw.store, 'ada', id, { misplaced })).toBe(48)
      // What is said behind it stands there too.
      await raw.store.updateConversation('ada', id, { headId: 'm5' }, 6)
      await raw.store.append('ada', id, 'u9', { ...testPlan(id, 9, 'm5'), head: 'm5' }, 7)
      await expectPartsOfWhole(raw.store, 'ada', id, { misplaced })
    }
    await raw.close()
  })
})
