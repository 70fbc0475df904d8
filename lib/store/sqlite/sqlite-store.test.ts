import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import type { Schema } from '../schema'
import { asStoreError } from '../store-error'
import { everyContract } from '../testing/every-contract'
import { decodeTestSettings, testConversation, testPlan } from '../testing/rows'
import { sqliteReader } from '../testing/statements/sqlite-reader'
import { statementRules } from '../testing/statements/statement-rules'
import { watchStatements } from '../testing/statements/watch-statements'
import { runStoreProcesses } from '../testing/store-processes'
import { NodeSqliteDialect, openNodeSqlite, toSqliteValue } from './node-sqlite-dialect'
import { openSqliteStore } from './open-sqlite-store'

const dir = mkdtempSync(join(tmpdir(), 'nod-sqlite-'))
const options = { decodeSettings: decodeTestSettings }
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const watch = watchStatements()
const openBoth = async (now?: () => number) => {
  const both = { ...options, log: watch.log, ...(now && { now }) }
  const file = join(dir, 'contract', 'nod.sqlite')
  const store = await watch.open(() => openSqliteStore(file, both))
  const other = await watch.open(() => openSqliteStore(file, both))
  return {
    store,
    other,
    close: async () => {
      await store.close()
      await other.close()
    },
  }
}
const openTables = async () => {
  const file = join(dir, 'tables.sqlite')
  await (await openSqliteStore(file, options)).close()
  return new Kysely<Schema>({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) })
}
everyContract('SQLite', openBoth)
statementRules('SQLite', watch, openTables, sqliteReader)

describe('the SQLite store', () => {
  it('binds plain values only', () => {
    expect([undefined, null, true, false, 'a', 1, 2n].map(toSqliteValue)).toEqual([null, null, 1, 0, 'a', 1, 2n])
    expect(() => toSqliteValue(new Date(0))).toThrow(/cannot be stored/)
    expect(() => toSqliteValue({ a: 1 })).toThrow(/cannot be stored/)
  })

  it('waits for the disk on every commit but those of a reply’s pieces', async () => {
    const database = openNodeSqlite(join(dir, 'synchronous.sqlite'))
    const mode = () => database.prepare('select synchronous as mode from pragma_synchronous').all([])[0]
    expect(mode()).toEqual({ mode: 2 })
    database.setSynchronous('NORMAL')
    expect(mode()).toEqual({ mode: 1 })
    database.setSynchronous('FULL')
    expect(mode()).toEqual({ mode: 2 })
    database.close()
  })

  it('survives being closed and opened again', async () => {
    const file = join(dir, 'reopen.sqlite')
    const first = await openSqliteStore(file, options)
    await first.createConversation('ada', testConversation('c'))
    await first.append('ada', 'c', 'u1', testPlan('c', 1), 1)
    await first.close()
    const second = await openSqliteStore(file, options)
    expect((await second.loadConversation('ada', 'c'))?.messages).toHaveLength(2)
    await second.close()
  })

  it('says in words when the file is no database or the folder cannot be made', async () => {
    const file = join(dir, 'junk.sqlite')
    writeFileSync(file, 'this is not a database at all, but it is long enough to be looked at closely'.repeat(20))
    const junk = await openSqliteStore(file, options).catch((error: unknown) => asStoreError(error))
    expect(junk).toMatchObject({ code: 'unavailable', message: expect.stringContaining('no SQLite file') as string })
    const blocked = await openSqliteStore(join(file, 'sub', 'nod.sqlite'), options).catch((error: unknown) =>
      asStoreError(error),
    )
    expect(blocked).toMatchObject({ code: 'unavailable', message: expect.stringContaining('data folder') as string })
  })

  it('serves four processes that migrate, append and decide at once', async () => {
    const totals = await runStoreProcesses({ kind: 'sqlite', target: join(dir, 'processes', 'nod.sqlite') }, 4)
    expect(totals).toEqual({ starts: 4, appended: 80, granted: 10, messages: 160, gaps: 0 })
  })
})
