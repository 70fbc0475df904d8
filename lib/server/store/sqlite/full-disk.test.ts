import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataFolder } from '../database/disk-space-watch'
import { asStoreError } from '../ports/store-error'
import type { Store } from '../ports/store'
import { asRequested, decodeTestSettings, finishedEnding, testCall, testConversation, testPlan } from '../testing/rows'
import { openNodeSqlite, type NodeSqliteDatabase } from './node-sqlite-dialect'
import { openSqliteStore, sqliteStoreOn } from './open-sqlite-store'

const dir = mkdtempSync(join(tmpdir(), 'nod-full-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** SQLite reports the same error for a database at its size limit as for a full disk. */
const limit = (database: NodeSqliteDatabase, pages: number): void =>
  void database.prepare(`PRAGMA max_page_count = ${pages}`).all([])

const full = {
  code: 'unavailable',
  message: 'The disk is full, so nothing can be saved. Free some space and try again.',
}
const inWords = (asked: Promise<unknown>) => asked.catch((error: unknown) => asStoreError(error))
const long = 'x'.repeat(2_000_000)

describe('a full disk', () => {
  let database: NodeSqliteDatabase
  let store: Store
  beforeAll(async () => {
    database = openNodeSqlite(join(dir, 'full.sqlite'))
    store = await sqliteStoreOn(database, { decodeSettings: decodeTestSettings })
    await store.createConversation('ada', testConversation('c'))
    await store.append('ada', 'c', 'u1', testPlan('c', 1), 1)
    await store.createConversation('ada', testConversation('d'))
    await store.append('ada', 'd', 'u1', testPlan('d', 1), 1)
    await store.endRun({ owner: 'ada', runId: 'run-of-d-a1' }, finishedEnding(), 1)
    limit(database, 1)
  })
  afterAll(() => store.close())

  const longSettings = { ...testConversation('d').settings, systemPrompt: long }
  const longCall = testCall('a1', 0, { reason: long })
  it.each<[string, () => Promise<unknown>]>([
    ['a new chat', () => store.createConversation('ada', testConversation('e', { settings: longSettings }))],
    ['new settings', () => store.updateConversation('ada', 'd', { settings: longSettings }, 2)],
    [
      'a message',
      () => {
        const plan = testPlan('d', 2, 'a1')
        return store.append('ada', 'd', 'u2', { ...plan, reply: { ...plan.reply, reasoning: long } }, 2)
      },
    ],
    ['a decision', () => store.decideCall('ada', 'd', longCall, asRequested)],
    [
      'a change of a call',
      () =>
        store.amendCall(
          'ada',
          'd',
          { messageId: 'a1', slot: 0 },
          { amendment: { call: { name: long, arguments: {} } }, seen: [], runnableCalls: 1 },
          2,
        ),
    ],
    [
      'a piece of a reply',
      () =>
        store.appendRunEvents({ owner: 'ada', runId: 'run-of-c-a1' }, [
          { seq: 2, type: 'delta', channel: 'text', text: long },
        ]),
    ],
    [
      'the end of a reply',
      () => {
        const failure = { code: 'unknown', message: long, detail: '' } as const
        return store.endRun({ owner: 'ada', runId: 'run-of-c-a1' }, finishedEnding({ outcome: 'failed', failure }), 2)
      },
    ],
  ])('is reported for %s, which leaves nothing half done', async (_, write) => {
    const before = await store.loadConversation('ada', 'd')
    expect(await inWords(write())).toMatchObject(full)
    // The next transaction starts from a clean state.
    expect(await store.loadConversation('ada', 'd')).toEqual(before)
    expect(await store.createConversation('ada', testConversation('c'))).toMatchObject({ id: 'c' })
  })

  it('is reported by the ping until there is space again', async () => {
    expect(
      await inWords(store.createConversation('ada', testConversation('e', { settings: longSettings }))),
    ).toMatchObject(full)
    expect(await inWords(store.ping())).toMatchObject(full)
    expect(await inWords(store.ping())).toMatchObject(full)
    limit(database, 1_000_000)
    await expect(store.ping()).resolves.toBeUndefined()
    await store.createConversation('ada', testConversation('f', { settings: longSettings }))
    await expect(store.ping()).resolves.toBeUndefined()
    expect((await store.listConversations('', '', 10)).length).toBe(0)
    limit(database, 1)
  })
})

describe('the files of a store', () => {
  it('are accessible to this user only, even if they were open to others before', async () => {
    const old = join(dir, 'old', 'nod.sqlite')
    mkdirSync(join(dir, 'old'))
    writeFileSync(old, '', { mode: 0o644 })
    for (const file of [join(dir, 'a', 'b', 'nod.sqlite'), old]) {
      const store = await openSqliteStore(file, { decodeSettings: decodeTestSettings })
      await store.createConversation('ada', testConversation('c'))
      for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600)
      await store.close()
    }
    for (const made of ['a', join('a', 'b')]) expect(statSync(join(dir, made)).mode & 0o777).toBe(0o700)
  })

  it.runIf(process.platform === 'linux')('are refused at once if the folder can’t be created', () => {
    expect(() => makeDataFolder('/proc/nod/data')).toThrow(/ENOENT|EACCES|EPERM/)
  })

  it('are refused if a file has the folder’s name', () => {
    writeFileSync(join(dir, 'a-file'), '')
    expect(() => makeDataFolder(join(dir, 'a-file'))).toThrow(/is no folder/)
    expect(() => makeDataFolder(join(dir, 'a-file', 'sub'))).toThrow(/ENOTDIR/)
  })
})
