import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import type { MigrationStep } from './migration-steps'
import { migrations } from './migrations'
import { openPostgresStore } from './postgres/open-postgres-store'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import { openSqliteStore } from './sqlite/open-sqlite-store'
import { decodeTestSettings } from './testing/rows'
import { createTestDatabase } from './testing/test-database'

/* An old database with many chats is brought up to date while the process answers others. */

const CHATS = 1_000
let made = 0
const folder = mkdtempSync(join(tmpdir(), 'nod-steps-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The first tables, with chats of two messages each. */
async function fillOld(db: Kysely<never>, isPostgres: boolean): Promise<void> {
  const first = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0003'))
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(first) },
  }).migrateToLatest()
  expect(error).toBeUndefined()
  const numbers = isPostgres
    ? sql`generate_series(1, ${CHATS}::integer) as numbers(n)`
    : sql`(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${CHATS}) select n from numbers) as numbers`
  const settings = JSON.stringify({ v: 1 })
  await sql`insert into conversations (id, owner, title, title_search, settings, head_id, created_at, updated_at)
    select 'c' || n, 'o' || (n % 50), 'A chat', 'a chat', ${settings}, 'a' || n, n, n from ${numbers}`.execute(db)
  const user = `{"v":1,"id":"u#","conversationId":"c#","role":"user","parentId":null,"text":"hello","createdAt":1,"posts":[]}`
  await sql`insert into messages (conversation_id, id, seq, body, runnable_calls)
    select 'c' || n, 'u' || n, 1, replace(${user}, '#', cast(n as text)), 0 from ${numbers}`.execute(db)
}

const databases = [
  {
    name: 'SQLite',
    async open(onStep: (step: MigrationStep) => void) {
      const file = join(folder, `old-${(made += 1)}.sqlite`)
      const db = new Kysely<never>({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) })
      await fillOld(db, false)
      await db.destroy()
      return () => openSqliteStore(file, { decodeSettings: decodeTestSettings, onStep })
    },
  },
  {
    name: 'PostgreSQL',
    async open(onStep: (step: MigrationStep) => void) {
      const url = await createTestDatabase()
      const db = new Kysely<never>({
        dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
      })
      await fillOld(db, true)
      await db.destroy()
      return () => openPostgresStore(url, { decodeSettings: decodeTestSettings, onStep })
    },
  },
]

describe.each(databases)('$name', ({ open }) => {
  it('says each step of an update and lets others have their turn', async () => {
    const steps: MigrationStep[] = []
    const start = await open((step) => void steps.push(step))
    const state = { isOpen: false }
    const opening = start().finally(() => {
      state.isOpen = true
    })
    let turns = 0
    /** Steps that somebody else saw while they were done. */
    const seen = new Set<number>()
    while (!state.isOpen) {
      await wait(1)
      turns += 1
      const step = steps.at(-1)
      if (step) seen.add(step.step)
    }
    const store = await opening
    const total = Object.keys(migrations).length
    expect(steps).toEqual(Array.from({ length: total - 2 }, (_, at) => ({ step: at + 3, total })))
    expect(turns).toBeGreaterThan(10)
    expect(seen.size).toBeGreaterThan(3)
    expect((await store.ownerData('o1')).chats).toBe(CHATS / 50)
    await store.close()
  })

  it('says nothing when there is nothing to update', async () => {
    const steps: MigrationStep[] = []
    const start = await open((step) => void steps.push(step))
    await (await start()).close()
    steps.length = 0
    await (await start()).close()
    expect(steps).toEqual([])
  })
})

it('says nothing of a database that is made', async () => {
  const steps: MigrationStep[] = []
  const file = join(folder, 'new.sqlite')
  const store = await openSqliteStore(file, { decodeSettings: decodeTestSettings, onStep: (step) => steps.push(step) })
  expect(steps).toEqual([])
  await store.close()
})
