import { getMigrations } from 'better-auth/db/migration'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import type { Schema } from '@/lib/server/store/ports/schema'
import { migrateToLatest } from '@/lib/server/store/database/apply-migrations'
import { NodeSqliteDialect, openNodeSqlite } from '@/lib/server/store/sqlite/node-sqlite-dialect'
import { createTestDatabase } from '@/lib/server/store/testing/test-database'
import { makeAuth } from './make-auth'

/* The tables of better-auth are fixed in one of our migrations: this test notices a newer version that needs others. */

const opened: Kysely<Schema>[] = []
afterAll(async () => {
  for (const db of opened) await db.destroy()
})

const onSqlite = () => Promise.resolve(new NodeSqliteDialect(openNodeSqlite(':memory:')))
const onPostgres = async () => {
  const pool = new pg.Pool({ connectionString: await createTestDatabase(), max: 1 })
  return new PostgresDialect({ pool })
}

describe('better-auth tables', () => {
  it.each([
    ['sqlite', onSqlite],
    ['postgres', onPostgres],
  ] as const)('our own migrations create all tables that better-auth needs, on %s', async (type, dialect) => {
    const db = new Kysely<Schema>({ dialect: await dialect() })
    opened.push(db)
    await migrateToLatest(db)
    const auth = makeAuth(
      {
        store: { accounts: {} as never, database: { db, type } },
        settings: {
          ways: new Set(['password']),
          inviteOnly: false,
          anonymous: true,
          admins: [],
          publicUrl: null,
          oidc: null,
          header: null,
        },
        secret: 'a secret for nothing at all, only to be one',
        now: Date.now,
        newId: () => crypto.randomUUID(),
        log: () => {},
        refusalOf: () => null,
      },
      { secure: false, oidc: null },
    )
    const wanted = await getMigrations(auth.options)
    expect(wanted.toBeCreated).toEqual([])
    expect(wanted.toBeAdded).toEqual([])
    expect((await wanted.compileMigrations()).trim()).toBe(';')
    // Of a password, only a salt and the scrypt hash are stored.
    const { password } = await auth.$context
    const hash = await password.hash('correct horse battery')
    expect(hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
    expect(hash).not.toBe(await password.hash('correct horse battery'))
    expect(await password.verify({ hash, password: 'correct horse battery' })).toBe(true)
    expect(await password.verify({ hash, password: 'correct horse batterz' })).toBe(false)
  })
})
