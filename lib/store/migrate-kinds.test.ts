import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql, type Dialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { migrateToLatest, migrations } from './migrations'
import type { Schema } from './schema'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import { testReply, testUserMessage } from './testing/rows'
import { createTestDatabase } from './testing/test-database'

const dir = mkdtempSync(join(tmpdir(), 'nod-kinds-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const file = { path: '/a', mediaType: 'text/plain', size: 1, head: null, isImage: false }
const rows = [
  [JSON.stringify(testUserMessage('c', 'm0')), 'u'],
  [JSON.stringify(testReply('c', 'm1', 'm0', { text: '{"role":"user","text":"x"}' })), 'a'],
  [JSON.stringify(testUserMessage('c', 'm2', { text: '' })), 'r'],
  [JSON.stringify(testUserMessage('c', 'm3', { text: '', attachments: [file] })), 'u'],
  ['{"role":"user","text":"cut', null],
  ['[]', null],
] as const

/** Chats of two owners from before messages said their kinds, longer than a page; gives what they say now. */
async function kindsAfter(dialect: Dialect) {
  const db = new Kysely<Schema>({ dialect })
  const old = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0012'))
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(old) },
  }).migrateToLatest()
  expect(error).toBeUndefined()
  for (const owner of ['ada', 'eve']) {
    await sql`insert into conversations (owner, id, title, title_search, settings, created_at, updated_at)
      values (${owner}, 'c', '', '', '{}', 1, 1)`.execute(db)
    for (let at = 0; at < 300; at += 1) {
      const [body] = rows[at % rows.length] ?? ['']
      await sql`insert into messages (owner, conversation_id, id, seq, body)
        values (${owner}, 'c', ${`${owner}${at}`}, ${at + 1}, ${body})`.execute(db)
    }
  }
  await migrateToLatest(db)
  const found = await db.selectFrom('messages').select('kind').orderBy('owner').orderBy('seq').execute()
  await db.destroy()
  return found.map(({ kind }) => kind)
}

const expected = Array.from({ length: 600 }, (_, at) => rows[(at % 300) % rows.length]?.[1])

it('messages say whose they are and whether they say something, on SQLite', async () => {
  expect(await kindsAfter(new NodeSqliteDialect(openNodeSqlite(join(dir, 'old.sqlite'))))).toEqual(expected)
})

it('messages say whose they are and whether they say something, on PostgreSQL', async () => {
  const pool = new pg.Pool({ connectionString: await createTestDatabase() })
  expect(await kindsAfter(new PostgresDialect({ pool }))).toEqual(expected)
})
