import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/conversation/settings'
import { migrations } from './migrations'
import { noteProgram } from './newer-database'
import { openPostgresStore } from './postgres/open-postgres-store'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import { openSqliteStore } from './sqlite/open-sqlite-store'
import type { Store } from './store'
import rows from './testing/old-rows/rows-0007.json'
import { createTestDatabase } from './testing/test-database'

/* Databases as released versions left them, opened by this one; and one that this one must leave alone. */

/** The last step of each release. A new one gets a line here, which is never changed. */
const released = { '0.1.0': '0002_runs', '0.2.0': '0007_grants_that_end' } as const

const root = mkdtempSync(join(tmpdir(), 'nod-released-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Place {
  readonly kind: string
  readonly db: () => Kysely<never>
  readonly open: (version?: string) => Promise<Store>
}

async function place(kind: 'sqlite' | 'postgres', name: string): Promise<Place> {
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

async function migrateTo(db: Kysely<never>, step: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const { error } = await migrator.migrateTo(step)
  expect(error).toBeUndefined()
}

/** The rows of a later step, as far as this one has tables and columns for them. */
async function fill(db: Kysely<never>): Promise<void> {
  const tables = new Map(
    (await db.introspection.getTables()).map(({ name, columns }) => [name, columns.map((c) => c.name)]),
  )
  for (const [name, all] of Object.entries(rows)) {
    const columns = tables.get(name)
    if (!columns) continue
    for (const row of all as readonly Record<string, string | number | null>[]) {
      const kept = Object.entries(row).filter(([column]) => columns.includes(column))
      const names = sql.join(kept.map(([column]) => sql.ref(column)))
      await sql`insert into ${sql.table(name)} (${names}) values (${sql.join(kept.map(([, value]) => value))})`.execute(
        db,
      )
    }
  }
}

/** Tables with their columns in any order, and what they are told by. */
async function shape(db: Kysely<never>) {
  const tables = await db.introspection.getTables()
  const shapes = tables.map(({ name, columns }) => [
    name,
    columns.map(({ name: column, isNullable }) => `${column}${isNullable ? '?' : ''}`).toSorted(),
  ])
  return Object.fromEntries(shapes.toSorted(([a], [b]) => String(a).localeCompare(String(b)))) as object
}

async function shapeOf({ db }: Pick<Place, 'db'>) {
  const opened = db()
  try {
    return await shape(opened)
  } finally {
    await opened.destroy()
  }
}

async function rowsIn(store: Store) {
  const found = await store.listConversations('ada', '', 100)
  const chats = await Promise.all(found.map(({ id }) => store.loadConversation('ada', id)))
  return {
    chats: chats.length,
    messages: chats.reduce((sum, chat) => sum + (chat?.messages.length ?? 0), 0),
    calls: chats.reduce((sum, chat) => sum + (chat?.calls.length ?? 0), 0),
  }
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  it.each(Object.entries(released))('a database of %s opens with every row, and goes on', async (version, step) => {
    const { db, open } = await place(kind, `from-${version}`)
    const old = db()
    await migrateTo(old, step)
    await fill(old)
    await old.destroy()
    const store = await open('9.9.9')
    const wanted = { chats: rows.conversations.length, messages: rows.messages.length, calls: rows.calls.length }
    expect(await rowsIn(store)).toEqual(wanted)
    const [newest] = await store.listConversations('ada', '', 1)
    expect(await store.updateConversation('ada', newest?.id ?? '', { title: 'goes on' }, 5_000_000)).toMatchObject({
      title: 'goes on',
    })
    await store.close()
    // And again, which changes nothing.
    const again = await open('9.9.9')
    expect(await rowsIn(again)).toEqual(wanted)
    await again.close()
  })

  it('a database of any step ends with the same tables as a new one', async () => {
    const fresh = await place(kind, 'fresh')
    await (await fresh.open('1.0.0')).close()
    const wanted = await shapeOf(fresh)
    expect(Object.keys(wanted)).toEqual(expect.arrayContaining(['conversations', 'messages', 'programs', 'runs']))
    for (const step of Object.keys(migrations)) {
      const { db, open } = await place(kind, `step-${step}`)
      const old = db()
      await migrateTo(old, step)
      await old.destroy()
      await (await open('1.0.0')).close()
      expect(await shapeOf({ db })).toEqual(wanted)
    }
  })

  it('a new database is brought up to date by several who start in the same moment', async () => {
    const { db, open } = await place(kind, 'at-once')
    const stores = await Promise.all(Array.from({ length: 3 }, () => open('1.0.0')))
    expect(await Promise.all(stores.map((store) => store.ping()))).toHaveLength(3)
    await Promise.all(stores.map((store) => store.close()))
    // The last of it many times, as it is over in a moment.
    const any = db()
    for (let round = 0; round < 10; round += 1) {
      await sql`drop table programs`.execute(any)
      await Promise.all(Array.from({ length: 8 }, () => noteProgram(any, '1.0.0', round)))
    }
    const { rows: programs } = await sql`select version from programs`.execute(any)
    expect(programs).toEqual([{ version: '1.0.0' }])
    await any.destroy()
  })

  it('a database of a newer program is left alone, with a sentence that names it and the way out', async () => {
    const { db, open } = await place(kind, 'newer')
    await (await open('0.9.1')).close()
    await (await open('0.10.0')).close()
    const newer = db()
    await sql`insert into kysely_migration (name, timestamp) values ('9999_from_the_future', 'x')`.execute(newer)
    const before = await shape(newer)
    const refused = await open('0.9.1').catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'unavailable',
      reason: 'store.newer',
      values: { by: '0.10.0', own: '0.9.1', step: '9999_from_the_future' },
      message: expect.stringMatching(/by Nod 0\.10\.0 .*Start Nod 0\.10\.0 or newer, or put back a backup/) as string,
    })
    expect(await shape(newer)).toEqual(before)
    await newer.destroy()
    // One that never said who it is.
    await expect(open()).rejects.toMatchObject({
      message: expect.stringMatching(/by a newer Nod \(step 9999/) as string,
    })
  })
})

it('every release of the changelog has its last step here', async () => {
  const { readFileSync } = await import('node:fs')
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  const versions = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version)
  expect(versions.toReversed()).toEqual(Object.keys(released))
})
