import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createChatHarness } from './testing/chat-harness'
import type { Store } from '@/lib/server/store/ports/store'
import { openNodeSqlite } from '@/lib/server/store/sqlite/node-sqlite-dialect'
import { sqliteStoreOn } from '@/lib/server/store/sqlite/open-sqlite-store'

/* The database cost of the first reply of a new owner. Keeps it low for many new owners at once. */

const dir = mkdtempSync(join(tmpdir(), 'nod-first-reply-'))
let store: Store
let ran: string[] = []
let syncs = 0

beforeAll(async () => {
  const disk = {
    sync: () => {
      syncs += 1
      return Promise.resolve()
    },
    close: () => {},
  }
  const database = openNodeSqlite(join(dir, 'nod.sqlite'), () => disk)
  const { prepare } = database
  store = await sqliteStoreOn(
    Object.defineProperty(database, 'prepare', {
      value: (sql: string) => {
        ran.push(sql)
        return prepare(sql)
      },
    }),
    { decodeSettings },
  )
})
afterAll(async () => {
  await store.close()
  rmSync(dir, { recursive: true, force: true })
})

const counts = () => {
  const transactions = ran.filter((sql) => sql === 'begin immediate').length
  return { transactions, syncs, statements: ran.length }
}

it('takes one transaction and sync each for the chat, the message, the first token and the end', async () => {
  const chat = createChatHarness(store)
  // Earlier replies have prepared the statements and filled the caches.
  const before = await chat.newChat()
  await chat.send(before, 'hi')
  ran = []
  syncs = 0
  const id = await chat.newChat()
  expect(counts()).toMatchObject({ transactions: 1, syncs: 1 })
  expect(counts().statements).toBeLessThanOrEqual(6)
  await chat.send(id, 'hi')
  // The first token is not awaited.
  expect(counts()).toMatchObject({ transactions: 4, syncs: 3 })
  expect(counts().statements).toBeLessThanOrEqual(55)
})

it('waits once for the disk if the message creates its chat', async () => {
  const chat = createChatHarness(store)
  await chat.send(await chat.newChat(), 'hi')
  chat.script([{ hang: 'listening' }])
  ran = []
  syncs = 0
  const append = { kind: 'user', id: 'first', parentId: null, text: 'hi' } as const
  const { runId } = await chat.service.append('newcomer', { conversationId: 'begun', append, create: {} })
  expect(counts()).toMatchObject({ transactions: 2, syncs: 1 })
  expect(counts().statements).toBeLessThanOrEqual(34)
  await chat.service.stop('newcomer', runId)
  await chat.service.settled(runId)
})
