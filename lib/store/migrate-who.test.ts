import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/conversation/settings'
import { migrations } from './migrations'
import { openPostgresStore } from './postgres/open-postgres-store'
import { NodeSqliteDialect, openNodeSqlite } from './sqlite/node-sqlite-dialect'
import { openSqliteStore } from './sqlite/open-sqlite-store'
import type { Store } from './store'
import rows from './testing/old-rows/rows-0007.json'
import { createTestDatabase } from './testing/test-database'

/*
 * `rows-0007.json` is what the service of that version wrote: a chat a way to close a call or keep a result, its title the
 * way; four were exported and imported again.
 */

type Tables = typeof rows
type OldSchema = { [T in keyof Tables]: Record<string, string | number | null> }

async function fill(db: Kysely<OldSchema>, damage: (name: keyof Tables, row: object) => object = (_, row) => row) {
  const old = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0008'))
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(old) },
  }).migrateToLatest()
  expect(error).toBeUndefined()
  for (const name of Object.keys(rows) as (keyof Tables)[]) {
    for (const row of rows[name]) await db.insertInto(name).values(damage(name, row)).execute()
  }
  await db.destroy()
}

const click = { kind: 'click' }
const overtaken = { kind: 'overtaken' }
const stopped = { kind: 'run-stopped' }
const limit = (maxCalls: number) => ({ kind: 'limit', maxCalls })
const note = 'the user wrote something else'

/** By title: who decided each call, and who kept its result with which note. */
const told = {
  overtaken: [[click], [click], [click], [overtaken]],
  'limit of one': [[click], [limit(1)], [limit(1)]],
  'limit of two': [[click], [click], [limit(2)]],
  'withheld with the very sentence': [[click, click, note]],
  'withheld with a note': [[click, click, 'private']],
  sent: [[click, click, '']],
  changed: [[click, click, '']],
  'gated and overtaken': [[click, overtaken, ''], [overtaken]],
  late: [[click, overtaken, '']],
  'withheld and waiting': [[click, click, note]],
  'cancelled before it began': [[click], [stopped]],
  'cancelled and run again': [[click]],
  stopped: [[click]],
  'by itself': [[{ kind: 'auto' }]],
  remembered: [[click], [{ kind: 'grant', grantId: 'grant-1' }]],
  'withheld with the very sentence (imported)': [[click, click, note]],
  'gated and overtaken (imported)': [[click, overtaken, ''], [overtaken]],
  'late (imported)': [[click, { kind: 'imported' }, '']],
  'limit of two (imported)': [[click], [click], [limit(2)]],
}

async function calls(store: Store) {
  const chats = await store.listConversations('ada', '', 100)
  const found = await Promise.all(
    chats.map(async ({ id, title }) => {
      const { calls: records = [], messages = [] } = (await store.loadConversation('ada', id)) ?? {}
      const order = new Map(messages.map((message, at) => [message.id, at]))
      const sorted = records.toSorted(
        (a, b) => (order.get(a.messageId) ?? 0) - (order.get(b.messageId) ?? 0) || a.slot - b.slot,
      )
      for (const { by, callHash, unreadable } of sorted) {
        expect(callHash === null).toBe(by.kind === 'overtaken' || by.kind === 'limit')
        expect(unreadable).toBeUndefined()
      }
      return [title, sorted.map(({ by, release }) => [by, ...(release ? [release.by, release.note] : [])])] as const
    }),
  )
  return Object.fromEntries(found)
}

/** What the log says of whoever closed, cancelled or kept something without a click. */
async function unclicked(store: Store) {
  const chats = await store.listConversations('ada', '', 100)
  const found = await Promise.all(
    chats.map(async ({ id, title }) => {
      const log = (await store.loadLog('ada', id)) ?? []
      const lines = log.flatMap(({ event, detail }) => {
        const by = detail['by'] as { readonly kind: string } | undefined
        if (event === 'call-finished') return detail['begun'] === false ? ['call-finished never-began'] : []
        expect(JSON.stringify(detail)).not.toContain('"callHash":""')
        return by && by.kind !== 'click' ? [`${event} ${by.kind}`] : []
      })
      return [title, lines] as const
    }),
  )
  return Object.fromEntries(found.filter(([, lines]) => lines.length > 0))
}

const keptInPassing = ['result-released overtaken', 'call-decided overtaken']
const logged = {
  overtaken: ['call-decided overtaken'],
  'limit of one': ['call-decided limit', 'call-decided limit'],
  'limit of two': ['call-decided limit'],
  'gated and overtaken': keptInPassing,
  late: ['result-released overtaken'],
  'cancelled before it began': ['call-stopped run-stopped', 'call-finished never-began'],
  'cancelled and run again': ['call-stopped run-stopped'],
  'by itself': ['call-decided auto'],
  remembered: ['call-decided grant'],
  'gated and overtaken (imported)': keptInPassing,
  'late (imported)': ['result-released overtaken'],
  'limit of two (imported)': ['call-decided limit'],
}

describe('rows from before they said who', () => {
  const dir = mkdtempSync(join(tmpdir(), 'nod-migrate-who-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  let files = 0
  const onSqlite = async (damage?: Parameters<typeof fill>[1]) => {
    const file = join(dir, `${(files += 1)}.sqlite`)
    await fill(new Kysely<OldSchema>({ dialect: new NodeSqliteDialect(openNodeSqlite(file)) }), damage)
    return openSqliteStore(file, { decodeSettings })
  }
  const onPostgres = async (damage?: Parameters<typeof fill>[1]) => {
    const url = await createTestDatabase()
    const pool = new pg.Pool({ connectionString: url })
    await fill(new Kysely<OldSchema>({ dialect: new PostgresDialect({ pool }) }), damage)
    return openPostgresStore(url, { decodeSettings })
  }

  it.each([
    ['SQLite', onSqlite],
    ['PostgreSQL', onPostgres],
  ])('say it on %s', async (_, open) => {
    const store = await open()
    expect(await calls(store)).toEqual(told)
    expect(await unclicked(store)).toEqual(logged)
    await store.close()
  })

  it('tells results that were told as denied, whether the call ran', async () => {
    const store = await onSqlite((name, row) => {
      const { body = '' } = row as { body?: string }
      const was = name === 'messages' ? body.replaceAll('"status":"result_rejected"', '"status":"denied"') : body
      return { ...row, ...(body !== '' && { body: was.replaceAll('"execution_rejected"', '"denied"') }) }
    })
    const chats = await store.listConversations('ada', '', 100)
    const loaded = await Promise.all(chats.map(({ id }) => store.loadConversation('ada', id)))
    const statuses = new Set(
      loaded
        .flatMap((chat) =>
          (chat?.messages ?? []).flatMap((message) => (message.role === 'user' ? message.results : [])),
        )
        .map(({ status }) => status),
    )
    expect([...statuses].toSorted()).toEqual(
      ['cancelled', 'completed', 'error', 'execution_rejected', 'result_rejected', 'skipped', 'unfinished'].toSorted(),
    )
    await store.close()
  })

  it('are opened whatever of them is damaged', async () => {
    let at = 0
    const store = await onSqlite((_, row) => {
      at += 1
      const text = Object.entries(row).find(
        ([column, value]) => /^(?:body|release|stopped)$/.test(column) && value !== null,
      )
      if (at % 3 !== 0 || !text) return row
      return { ...row, [text[0]]: at % 2 === 0 ? String(text[1]).slice(0, at % 40) : '7' }
    })
    const chats = await store.listConversations('ada', '', 100)
    expect(chats).toHaveLength(Object.keys(told).length)
    for (const { id } of chats) {
      expect((await store.loadConversation('ada', id))?.messages.length).toBeGreaterThan(1)
      expect(await store.loadLog('ada', id)).not.toBeNull()
    }
    await store.close()
  })
})
