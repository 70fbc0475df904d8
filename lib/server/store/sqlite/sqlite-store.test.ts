import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Kysely, type LogEvent } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import type { Schema } from '../ports/schema'
import { asStoreError } from '../ports/store-error'
import { decodeTestSettings, finishedEnding, testConversation, testPlan } from '../testing/rows'
import { shippedStore } from '../testing/shipped-store'
import { createTestFile } from '../testing/test-database'
import { sqliteReader } from '../testing/statements/sqlite-reader'
import { NodeSqliteDialect, openNodeSqlite, toSqliteValue } from './node-sqlite-dialect'
import { createDiskSync } from './disk-sync'
import { openSqliteStore, sqliteStoreOn } from './open-sqlite-store'

const dir = mkdtempSync(join(tmpdir(), 'nod-sqlite-'))
const options = { decodeSettings: decodeTestSettings }
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let made = 0
shippedStore('SQLite', {
  kind: 'sqlite',
  make: async (content) =>
    content === 'tables' ? (await createTestFile(dir)).file : join(dir, `${(made += 1)}`, 'nod.sqlite'),
  open: openSqliteStore,
  tables: (file) => new Kysely<Schema>({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) }),
  reader: sqliteReader,
})

describe('the SQLite store', () => {
  it('indexes hundreds of messages of the same moment without trying every number for each', async () => {
    const tried: string[] = []
    const log = ({ query }: LogEvent) => void (query.sql.includes('from message_index') && tried.push(query.sql))
    const store = await openSqliteStore(join(dir, 'same-moment', 'nod.sqlite'), { ...options, log })
    for (let n = 0; n < 300; n += 1) {
      await store.createConversation('ada', testConversation(`c${n}`))
      await store.append('ada', `c${n}`, 'u1', testPlan(`c${n}`, 1), 1_000)
    }
    let read = 0
    for (let count = 1; count > 0; read += count) count = await store.indexWords(20)
    expect(read).toBeGreaterThanOrEqual(300)
    expect(tried.length / read).toBeLessThan(30)
    await store.close()
  })

  it('binds plain values only', () => {
    expect([undefined, null, true, false, 'a', 1, 2n].map(toSqliteValue)).toEqual([null, null, 1, 0, 'a', 1, 2n])
    expect(() => toSqliteValue(new Date(0))).toThrow(/cannot be stored/)
    expect(() => toSqliteValue({ a: 1 })).toThrow(/cannot be stored/)
  })

  it('waits for the disk before it acknowledges anything but pieces of a reply, without blocking others', async () => {
    const waiting: PromiseWithResolvers<void>[] = []
    let isQuick = true
    const flush = () => {
      if (isQuick) return Promise.resolve()
      const one = Promise.withResolvers<void>()
      waiting.push(one)
      return one.promise
    }
    const database = openNodeSqlite(join(dir, 'synced.sqlite'), () => createDiskSync({ flush, close: () => {} }))
    const store = await sqliteStoreOn(database, options)
    isQuick = false
    const goOn = async () => {
      await turn()
      waiting.shift()?.resolve()
    }
    const answered: string[] = []
    const ask = (name: string, asked: Promise<unknown>) => asked.then(() => answered.push(name))
    const all = [
      ask('c', store.createConversation('ada', testConversation('c'))),
      ask('d', store.createConversation('ada', testConversation('d'))),
      ask('e', store.createConversation('ada', testConversation('e'))),
    ]
    await turn()
    // All three are visible to readers, but none was acknowledged.
    expect(await store.listConversations('ada', '', 10)).toHaveLength(3)
    expect([answered, waiting.length]).toEqual([[], 1])
    waiting.shift()?.resolve()
    await turn()
    // Writes that came while the disk was busy share the next wait.
    expect([answered, waiting.length]).toEqual([['c'], 1])
    waiting.shift()?.resolve()
    await Promise.all(all)
    expect(answered).toEqual(['c', 'd', 'e'])

    const appended = ask('append', store.append('ada', 'c', 'u1', testPlan('c', 1), 1))
    await turn()
    expect(answered).not.toContain('append')
    await goOn()
    await appended
    const run = { owner: 'ada', runId: 'run-of-c-a1' }
    await ask('piece', store.appendRunEvents(run, [{ seq: 2, type: 'delta', channel: 'text', text: 'a' }]))
    expect(waiting).toEqual([])

    const refused = store.endRun(run, finishedEnding(), 1)
    await turn()
    const broken = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    waiting.shift()?.reject(broken)
    await expect(refused).rejects.toBe(broken)
    expect(asStoreError(broken)).toMatchObject({ code: 'unavailable' })
    // The next request is not in the transaction of the failed one.
    const next = store.createConversation('ada', testConversation('f'))
    await goOn()
    await expect(next).resolves.toMatchObject({ id: 'f' })
    await store.close()
  })

  it('lets SQLite itself wait for the disk if it has no log file', () => {
    const database = openNodeSqlite(':memory:')
    expect(database.disk).toBeNull()
    expect(database.prepare('select synchronous as mode from pragma_synchronous').all([])).toEqual([{ mode: 2 }])
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

  it('reports with a sentence that the file is no database or the folder can’t be created', async () => {
    const file = join(dir, 'junk.sqlite')
    writeFileSync(file, 'this is not a database at all, but it is long enough to be looked at closely'.repeat(20))
    const junk = await openSqliteStore(file, options).catch((error: unknown) => asStoreError(error))
    expect(junk).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not an SQLite file') as string,
    })
    const blocked = await openSqliteStore(join(file, 'sub', 'nod.sqlite'), options).catch((error: unknown) =>
      asStoreError(error),
    )
    expect(blocked).toMatchObject({ code: 'unavailable', message: expect.stringContaining('data folder') as string })
  })
})
