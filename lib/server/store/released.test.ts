import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { applySteps, COMMIT_WITH_ALL_STEPS } from './database/apply-migrations'
import { migrations } from './database/migrations'
import { recordProgram } from './database/newer-database'
import { openPostgresStore } from './postgres/open-postgres-store'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import { openSqliteStore } from './sqlite/open-sqlite-store'
import type { Store } from './ports/store'
import released from './testing/released-0.2.0.json'
import { createTestDatabase } from './testing/test-database'

/*
 * Databases of other versions, opened by this one. `released-0.2.0.json` is a dump of the last version with migrations
 * before the baseline: the names of its migrations, SQLite's statements for its tables, and rows of every table that
 * had any.
 */

const root = mkdtempSync(join(tmpdir(), 'nod-released-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface TestDatabase {
  readonly kind: 'sqlite' | 'postgres'
  readonly db: () => Kysely<never>
  readonly open: (version?: string) => Promise<Store>
}

async function place(kind: TestDatabase['kind'], name: string): Promise<TestDatabase> {
  const program = (version?: string) => ({ decodeSettings, ...(version !== undefined && { version }) })
  if (kind === 'sqlite') {
    const file = join(root, `${name}.sqlite`)
    return {
      kind,
      db: () => new Kysely<never>({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) }),
      open: (version) => openSqliteStore(file, program(version)),
    }
  }
  const url = await createTestDatabase()
  return {
    kind,
    db: () => new Kysely<never>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) }),
    open: (version) => openPostgresStore(url, program(version)),
  }
}

/** A database with the tables, rows and migrations of the version before the baseline, up to `last`. */
async function fillReleased({ kind, db }: TestDatabase, last = '9999'): Promise<void> {
  const any = db()
  if (kind === 'sqlite') {
    await sql`create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
      any,
    )
    for (const statement of released.sqlite) await sql.raw(statement).execute(any)
  } else {
    // Only the baseline: later migrations must find a database without their tables.
    const [name = '', baseline] = Object.entries(migrations)[0] ?? []
    await applySteps(any as never, { ...(baseline && { [name]: baseline }) }, () => {})
    await sql`delete from kysely_migration`.execute(any)
  }
  for (const name of released.steps.filter((step) => step <= last)) {
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-11-26')`.execute(any)
  }
  for (const [name, all] of Object.entries(released.rows)) {
    for (const row of all as readonly Record<string, string | number | null>[]) {
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
      await sql`insert into ${sql.table(name)} (${columns}) values (${sql.join(Object.values(row))})`.execute(any)
    }
  }
  await any.destroy()
}

/** The tables with their columns and nullability, and the names of their indexes on SQLite. */
async function shapeOf({ kind, db }: TestDatabase): Promise<object> {
  const any = db()
  const tables = await any.introspection.getTables()
  const shapes = tables.map(({ name, columns }) => [
    name,
    columns
      .map(({ name: column, isNullable, dataType, hasDefaultValue }) =>
        [column, dataType.toLowerCase(), isNullable ? 'null' : '', hasDefaultValue ? 'default' : ''].join(' '),
      )
      .toSorted(),
  ])
  const others =
    kind === 'sqlite'
      ? (await sql<{ name: string }>`select name from sqlite_master where type <> 'table'`.execute(any)).rows
      : []
  await any.destroy()
  return {
    ...(Object.fromEntries(shapes) as object),
    others: others.map(({ name }) => name).toSorted(),
  }
}

async function countRows(store: Store) {
  const found = await store.listConversations('ada', '', 100)
  const chats = await Promise.all(found.map(({ id }) => store.loadConversation('ada', id)))
  return {
    conversations: chats.length,
    messages: chats.reduce((sum, chat) => sum + (chat?.messages.length ?? 0), 0),
    calls: chats.reduce((sum, chat) => sum + (chat?.calls.length ?? 0), 0),
    unreadable: JSON.stringify(chats).split('"unreadable"').length - 1,
  }
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  it('opens a database from before the baseline with every row, and can write to it', async () => {
    const { conversations, messages, calls } = released.rows
    const wanted = {
      conversations: conversations.length,
      messages: messages.length,
      calls: calls.length,
      unreadable: 0,
    }
    const found = await place(kind, 'before')
    await fillReleased(found)
    const store = await found.open('9.9.9')
    expect(await countRows(store)).toEqual(wanted)
    const [newest] = await store.listConversations('ada', '', 1)
    const changes = { title: 'renamed' }
    expect(await store.updateConversation('ada', newest?.id ?? '', changes, 5_000_000)).toMatchObject(changes)
    await store.close()
    const again = await found.open('9.9.9')
    expect(await countRows(again)).toEqual(wanted)
    await again.close()

    const fresh = await place(kind, 'fresh')
    await (await fresh.open('1.0.0')).close()
    expect(await shapeOf(found)).toEqual(await shapeOf(fresh))
  })

  it('lets three processes open such a database at once', async () => {
    const found = await place(kind, 'before-at-once')
    await fillReleased(found)
    const stores = await Promise.all(Array.from({ length: 3 }, () => found.open('1.0.0')))
    expect(await countRows(stores[2] as Store)).toMatchObject({ unreadable: 0 })
    await Promise.all(stores.map((store) => store.close()))
  })

  it('does not change an older database, and says how to update it', async () => {
    const found = await place(kind, 'earlier')
    await fillReleased(found, '0013_fair_use')
    const before = await shapeOf(found)
    const refused = await found.open('1.0.0').catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'unavailable',
      reason: 'store.older',
      values: { step: '0013_fair_use', commit: COMMIT_WITH_ALL_STEPS },
      message: expect.stringMatching(/Start Nod once from commit [0-9a-f]{8} with this database/) as string,
    })
    expect(await shapeOf(found)).toEqual(before)
  })

  it('lets several processes update a new database at the same time', async () => {
    const { db, open } = await place(kind, 'at-once')
    const stores = await Promise.all(Array.from({ length: 3 }, () => open('1.0.0')))
    expect(await Promise.all(stores.map((store) => store.ping()))).toHaveLength(3)
    await Promise.all(stores.map((store) => store.close()))
    // Repeated for the programs table, because a race over it is rare.
    const any = db()
    for (let round = 0; round < 10; round += 1) {
      await sql`drop table programs`.execute(any)
      await Promise.all(Array.from({ length: 8 }, () => recordProgram(any, '1.0.0', round)))
    }
    const { rows: programs } = await sql`select version from programs`.execute(any)
    expect(programs).toEqual([{ version: '1.0.0' }])
    await any.destroy()
  })

  it('does not change a database of a newer program, and says which one and what to do', async () => {
    const found = await place(kind, 'newer')
    const { db, open } = found
    await (await open('0.9.1')).close()
    await (await open('0.10.0')).close()
    const newer = db()
    await sql`insert into kysely_migration (name, timestamp) values ('9999_from_the_future', 'x')`.execute(newer)
    await newer.destroy()
    const before = await shapeOf(found)
    const refused = await open('0.9.1').catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'unavailable',
      reason: 'store.newer',
      values: { by: '0.10.0', own: '0.9.1', step: '9999_from_the_future' },
      message: expect.stringMatching(/by Nod 0\.10\.0 .*Start Nod 0\.10\.0 or newer, or restore a backup/) as string,
    })
    expect(await shapeOf(found)).toEqual(before)
    // A program that never recorded its version.
    await expect(open()).rejects.toMatchObject({
      message: expect.stringMatching(/by a newer Nod \(step 9999/) as string,
    })
  })
})
