import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/conversation/settings'
import { defaultToolConfig } from '@/lib/conversation/tool-config'
import { migrations } from './migrations'
import { openPostgresStore } from './postgres/open-postgres-store'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import { openSqliteStore } from './sqlite/open-sqlite-store'
import type { Store } from './store'
import { asAsked, testCall, testOutcome, testReply, testTool, testUserMessage } from './testing/rows'
import { createTestDatabase } from './testing/test-database'

/** The tables as they were before approval, as far as this test fills them. */
interface OldSchema {
  conversations: Record<'id' | 'owner' | 'title' | 'title_search' | 'settings' | 'head_id', string> & {
    created_at: number
    updated_at: number
  }
  messages: { conversation_id: string; id: string; seq: number; body: string; runnable_calls: number }
  calls: Record<'conversation_id' | 'message_id' | 'decision' | 'runner_id' | 'body', string> & {
    slot: number
    attempt: number
    decided_at: number
    outcome: string | null
    finished_at: number | null
    posted_in: string | null
  }
}

const oldTools = { enabled: true, toolToggles: { write_file: false }, defaultToolEnabled: true, maxIterations: 3 }
const oldSettings = {
  version: 1,
  model: 'demo/demo',
  strategy: 'VCP',
  systemPrompt: 'be brief',
  tools: { ...oldTools, timeoutMs: 5_000 },
}

/** What the code of then wrote: one chat with a finished reply of three calls, one done, one denied, one waiting. */
async function fillOldDatabase(db: Kysely<OldSchema>): Promise<void> {
  const old = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0003'))
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(old) } })
  const { error } = await migrator.migrateToLatest()
  expect(error).toBeUndefined()
  await db
    .insertInto('conversations')
    .values({
      id: 'c',
      owner: 'ada',
      title: 'old',
      title_search: 'old',
      settings: JSON.stringify(oldSettings),
      head_id: 'a1',
      created_at: 1,
      updated_at: 2,
    })
    .execute()
  const reply = testReply('c', 'a1', 'u1', { outcome: 'finished', text: 'three calls' })
  await db
    .insertInto('messages')
    .values(
      [testUserMessage('c', 'u1'), reply].map((message, at) => ({
        conversation_id: 'c',
        id: message.id,
        seq: at + 1,
        body: JSON.stringify(message),
        runnable_calls: at * 3,
      })),
    )
    .execute()
  const call = { conversation_id: 'c', message_id: 'a1', runner_id: 'tab-1', attempt: 1, decided_at: 5 }
  const body = (slot: number) =>
    JSON.stringify({ callId: `call_${slot + 1}`, name: 'read_file', callHash: 'hash', reason: '' })
  const outcome = JSON.stringify(testOutcome())
  await db
    .insertInto('calls')
    .values([
      { ...call, slot: 0, decision: 'run', body: body(0), outcome, finished_at: 6, posted_in: null },
      { ...call, slot: 1, decision: 'deny', body: body(1), outcome: null, finished_at: null, posted_in: null },
    ])
    .execute()
}

/** Reads the old rows and goes on with them; gives what the log holds then. */
async function goOnWith(store: Store): Promise<readonly string[] | undefined> {
  const stored = await store.loadConversation('ada', 'c')
  expect(stored?.conversation).toMatchObject({
    settings: { ...oldSettings, version: 4, tools: { ...defaultToolConfig, ...oldSettings.tools } },
    settingsProblem: null,
  })
  const times = { decidedAt: 5, finishedAt: 6 }
  expect(stored?.calls).toEqual([
    testCall('a1', 0, { ...times, outcome: testOutcome() }),
    testCall('a1', 1, { ...times, finishedAt: null, decision: 'deny' }),
  ])
  expect(stored).toMatchObject({ amendments: [], grants: [], tools: [] })
  expect(await store.loadLog('ada', 'c')).toEqual([])
  const waiting = async () => (await store.listConversations('ada', '', 5))[0]?.waitingCalls
  expect(await waiting()).toBe(1)

  const key = { messageId: 'a1', slot: 2, attempt: 1 }
  const decided = await store.decideCall('ada', 'c', testCall('a1', 2), asAsked)
  expect(decided.granted).toBe(true)
  await store.finishCall('ada', 'c', { ...key, runnerId: 'tab-1' }, testOutcome(), () => true, 8)
  expect(await waiting()).toBe(1)
  await store.releaseCall('ada', 'c', key, { kind: 'sent', by: { kind: 'click' }, note: '', releasedAt: 9 })
  // An old result was never gated, so there is nothing to release.
  const old = store.releaseCall(
    'ada',
    'c',
    { ...key, slot: 0 },
    { kind: 'sent', by: { kind: 'click' }, note: '', releasedAt: 9 },
  )
  await expect(old).rejects.toMatchObject({ code: 'call-not-open' })
  expect(await store.registerTool('ada', 'c', testTool('ask'), 10)).toEqual([testTool('ask')])
  expect((await store.loadConversation('ada', 'c'))?.tools).toEqual([testTool('ask')])
  const log = await store.loadLog('ada', 'c')
  await store.close()
  return log?.map(({ seq, event }) => `${seq} ${event}`)
}

const newEntries = ['1 call-decided', '2 call-finished', '3 result-released', '4 tool-registered']

describe('a database from before approval', () => {
  const dir = mkdtempSync(join(tmpdir(), 'nod-migrations-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('opens and works on SQLite', async () => {
    const file = join(dir, 'old.sqlite')
    const db = new Kysely<OldSchema>({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) })
    await fillOldDatabase(db)
    await db.destroy()
    expect(await goOnWith(await openSqliteStore(file, { decodeSettings }))).toEqual(newEntries)
  })

  it('opens and works on PostgreSQL', async () => {
    const url = await createTestDatabase()
    const db = new Kysely<OldSchema>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) })
    await fillOldDatabase(db)
    await db.destroy()
    expect(await goOnWith(await openPostgresStore(url, { decodeSettings }))).toEqual(newEntries)
  })
})
