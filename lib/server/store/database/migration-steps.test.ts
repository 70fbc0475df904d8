import { setImmediate as turn } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { MigrationStep } from './newer-database'
import { applySteps } from './apply-migrations'
import { migrations } from './migrations'
import type { Schema } from '../ports/schema'
import { NodeSqliteDialect, openNodeSqlite } from '../sqlite/node-sqlite-dialect'
import { createTestDatabase } from '../testing/test-database'

/* Long migrations of an existing database, while the process serves requests. */

const databases = [
  { name: 'SQLite', dialect: () => Promise.resolve(new NodeSqliteDialect(openNodeSqlite(':memory:'))) },
  {
    name: 'PostgreSQL',
    dialect: async () =>
      new PostgresDialect({ pool: new pg.Pool({ connectionString: await createTestDatabase(), max: 1 }) }),
  },
]

const existing = Object.keys(migrations).length

/** Rewrites the titles one by one until `isEnough`, like a migration over many rows. */
const longStep = (isEnough: () => boolean): Migration => ({
  async up(db) {
    for (let at = 0; !isEnough(); at += 1) await sql`update conversations set title = ${String(at)}`.execute(db)
  },
})

describe.each(databases)('$name', ({ dialect }) => {
  it('reports each migration of an update, and yields to other work during each', async () => {
    const db = new Kysely<Schema>({ dialect: await dialect() })
    await applySteps(db, migrations, () => {})
    const steps: MigrationStep[] = []
    const turns = new Map<number, number>()
    const isSeen = (step: number) => () => (turns.get(step) ?? 0) > 2
    const update = {
      ...migrations,
      '8001_first': longStep(isSeen(existing + 1)),
      '8002_second': longStep(isSeen(existing + 2)),
    }
    const state = { isDone: false }
    const updating = applySteps(db, update, (step) => void steps.push(step)).finally(() => (state.isDone = true))
    while (!state.isDone) {
      await turn()
      const step = steps.at(-1)?.step ?? 0
      turns.set(step, (turns.get(step) ?? 0) + 1)
    }
    expect(await updating).toEqual(['8001_first', '8002_second'])
    expect(steps).toEqual([
      { step: existing + 1, total: existing + 2 },
      { step: existing + 2, total: existing + 2 },
    ])
    await db.destroy()
  })

  it('keeps one reply at a time for a program without sides, before and after the update', async () => {
    const db = new Kysely<Schema>({ dialect: await dialect() })
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0046_run_sides'))
    await applySteps(db, before, () => {})
    await sql`insert into conversations (owner, id, title, title_search, settings, created_at, updated_at)
      values ('ada', 'c', '', '', '{}', 1, 1)`.execute(db)
    const begin = (id: string) =>
      sql`insert into runs (owner, id, conversation_id, message_id, request_id, status, heartbeat_at)
        values ('ada', ${id}, 'c', ${id}, ${id}, 'running', 1)`.execute(db)
    await begin('one')
    expect(await applySteps(db, migrations, () => {})).toContain('0046_run_sides')
    await expect(begin('two')).rejects.toThrow(/unique/i)
    await sql`update runs set status = 'ended' where id = 'one'`.execute(db)
    await begin('two')
    await expect(begin('three')).rejects.toThrow(/unique/i)
    await sql`update runs set side = '1' where id = 'two'`.execute(db)
    await begin('three')
    await db.destroy()
  })

  it('reports nothing if there is nothing to update, or if the database is new', async () => {
    const db = new Kysely<Schema>({ dialect: await dialect() })
    const steps: MigrationStep[] = []
    const onStep = (step: MigrationStep) => void steps.push(step)
    expect(await applySteps(db, migrations, onStep)).toEqual(Object.keys(migrations))
    expect(await applySteps(db, migrations, onStep)).toEqual([])
    expect(steps).toEqual([])
    await db.destroy()
  })
})
