import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@/lib/base/json'
import { createOwnRate } from '@/lib/server/quota/rate'
import { createChatHarness, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type {
  ConversationExport,
  ConversationsResponse,
  ConversationView,
  LogPage,
} from '@/lib/shared/conversation/wire/api-types'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { openRawStore } from '@/lib/server/store/testing/open-raw-store'
import { testPlan } from '@/lib/server/store/testing/rows'
import { setServer } from '@/lib/server/wiring/server'
import { rounds } from '@/scripts/test/nightly'
import * as exportRoute from './conversations/[id]/export/route'
import * as logRoute from './conversations/[id]/log/route'
import * as conversationRoute from './conversations/[id]/route'
import * as importRoute from './conversations/import/route'
import * as listRoute from './conversations/route'
import { sendTo, type Handler, type Sent } from './testing/send'
import { cookieOf, testOwners } from './testing/serve-routes'

/*
 * Rows damaged by a broken disk, manual edits or another version. Whatever a column contains, its chat opens, reports
 * the damage in place, and works; no other chat is affected.
 */

let raw: Awaited<ReturnType<typeof openRawStore>>
let chat: ChatHarness
let cookie: string

beforeAll(async () => {
  raw = await openRawStore({ decodeSettings })
  cookie = await cookieOf('ada')
})
afterAll(() => raw.close())
beforeEach(() => {
  chat = createChatHarness(raw.store)
  const rateLimit = createOwnRate({ burst: 1_000_000, perSecond: 1, monotonic: () => 0 })
  setServer({ service: chat.service, store: raw.store, owners: testOwners, rateLimit })
})
afterEach(() => setServer(null))

async function ask<T>(handler: Handler, sent: Sent = {}): Promise<T> {
  const answer = await sendTo(handler, { cookie, ...sent })
  expect(answer.status).toBe(200)
  return (await answer.json()) as T
}
const view = (id: string) => ask<ConversationView>(conversationRoute.GET, { params: { id } })
const exportOf = (id: string) => ask<ConversationExport>(exportRoute.GET, { params: { id } })
const logOf = (id: string) => ask<LogPage>(logRoute.GET, { params: { id } })

const three = 'CALL read_file {"path":"/a"}\nCALL read_file {"path":"/a"}\nCALL list_directory {"path":"/a"}'

/** A chat with a row of every kind: two replies with calls, the first decided in every way, the last open. */
async function richChat(): Promise<string> {
  const tools = { ...defaultToolConfig, mode: 'auto' as const, resultGate: 'always' as const }
  const { conversationId: id, replyId } = await chat.withReply(three, { tools, systemPrompt: 'be brief' })
  const { callHash } = await chat.decision(replyId, 0, 'read_file')
  await chat.service.giveGrant('ada', id, { id: `g-${id}`, messageId: replyId, slot: 0, callHash, kind: 'tool' })
  await chat.decide(id, await chat.decision(replyId, 0, 'read_file'))
  await chat.finish(id, replyId, 0, 'content')
  await chat.service.release('ada', id, {
    messageId: replyId,
    slot: 0,
    attempt: 1,
    release: { kind: 'sent', note: 'n' },
  })
  await chat.decide(id, await chat.decision(replyId, 1, 'read_file'))
  const stop = { messageId: replyId, slot: 1, attempt: 1, runnerId: 'tab-1' }
  await chat.service.stopCall('ada', id, stop)
  chat.script([{ text: three }, { finish: 'stop' }])
  const next = await chat.send(id, 'go on', replyId)
  const amendment = { call: { name: 'read_file', arguments: { path: '/b' } } }
  await chat.service.amend('ada', id, { messageId: next.replyId, slot: 0, amendment })
  await chat.decide(id, await chat.decision(next.replyId, 1, 'read_file', { decision: 'deny', reason: 'no' }))
  return id
}

/** Columns with JSON, and those with meaningful words. */
const cells = {
  conversations: ['settings', 'head_id'],
  messages: ['body'],
  calls: ['body', 'outcome', 'stopped', 'release', 'decision'],
  amendments: ['call'],
  grants: ['scope', 'given_on'],
  log: ['body', 'event'],
  runs: ['status'],
} as const

type Table = keyof typeof cells
interface Cell {
  readonly table: Table
  readonly column: string
  readonly row: Readonly<Record<string, unknown>>
  readonly text: string
}

const ofChat = (table: Table, id: string) =>
  sql`${sql.ref(table === 'conversations' ? 'id' : 'conversation_id')} = ${id}`

const rowsOf = async (table: Table, id: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)} where ${ofChat(table, id)}`.execute(raw.tables))
    .rows

async function cellsOf(id: string): Promise<readonly Cell[]> {
  const found: Cell[] = []
  for (const [table, columns] of Object.entries(cells) as [Table, readonly string[]][]) {
    for (const row of await rowsOf(table, id)) {
      for (const column of columns) {
        const text = row[column]
        if (typeof text === 'string') found.push({ table, column, row, text })
      }
    }
  }
  return found
}

/** Which row a cell is in; the key columns are never damaged. */
const keyOf = (row: Readonly<Record<string, unknown>>) =>
  sql.join(
    ['conversation_id', 'message_id', 'id', 'slot', 'seq']
      .filter((name) => row[name] !== undefined && row[name] !== null)
      .map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  )

const write = ({ table, column, row }: Cell, value: string | null) =>
  sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${keyOf(row)}`.execute(raw.tables)

/** The damaged values of a cell. `at` chooses the position. */
const damages: Readonly<Record<string, (text: string, at: number) => string>> = {
  truncated: (text, at) => text.slice(0, Math.floor(text.length * at)),
  'invalid JSON': (text, at) => `${text.slice(0, Math.floor(text.length * at))}}{`,
  'the word null': () => 'null',
  'another type': (_, at) => ['7', '"x"', '[]', '{}', 'true'][Math.floor(at * 5)] ?? '',
  'another version': (text) => text.replace(/^\{(?:"v":\d+,)?/, '{"v":99,').replace(/"version":\d+/, '"version":99'),
  'a member of another type': (text, at) => withOtherMember(text, at),
  'a member missing': (text, at) => withOtherMember(text, at, true),
}

function withOtherMember(text: string, at: number, gone = false): string {
  try {
    const value = JSON.parse(text) as Record<string, JsonValue>
    const names = Object.keys(value)
    const name = names[Math.floor(at * names.length)] ?? ''
    const { [name]: old, ...rest } = value
    return JSON.stringify(gone ? rest : { ...rest, [name]: typeof old === 'number' ? 'x' : 7 })
  } catch {
    return 'no JSON'
  }
}

/** Members that older rows lack: a row without one is not damaged, and gets no message. */
const isOfAnOlderRow = (cell: Cell, damaged: string): boolean =>
  nameOf(cell) === 'messages.body' && withoutMember(cell.text, 'pace') === damaged

const withoutMember = (text: string, name: string): string => {
  const { [name]: _, ...rest } = JSON.parse(text) as Record<string, JsonValue>
  return JSON.stringify(rest)
}

/** Everything with which a chat reports unreadable data. */
const marksOf = ({ conversation, messages, calls, amendments, grants }: ConversationView, log: LogPage): number =>
  (conversation.settingsProblem === null ? 0 : 1) +
  [...messages, ...calls, ...amendments, ...log.entries].filter(({ unreadable }) => unreadable !== undefined).length +
  grants.filter(({ scope }) => scope.kind === 'unreadable').length

const nameOf = ({ table, column }: Cell): string => `${table}.${column}`

/** Damage that needs no message: another head is shown, an unknown event is named as it is, a run is over. */
const silent = new Set(['conversations.head_id', 'grants.given_on', 'log.event', 'runs.status'])

describe('a damaged cell', () => {
  it('is reported in place, and the chat works', async () => {
    const [other, id] = [await richChat(), await richChat()]
    const before = { other: await view(other), own: await view(id), log: await logOf(id) }
    const all = await cellsOf(id)
    const seen = new Set<string>()
    const look = async (cell: Cell, kind: string, at: number) => {
      const damaged = damages[kind]?.(cell.text, at) ?? ''
      // A changed argument is not reported: the call is used as it is read.
      if (damaged === cell.text || (cell.column === 'call' && damaged === 'null')) return
      await write(cell, damaged)
      try {
        const now = await view(id)
        const log = await logOf(id)
        const list = await ask<ConversationsResponse>(listRoute.GET)
        expect(list.conversations.map((row) => row.id)).toEqual(expect.arrayContaining([id, other]))
        expect(await view(other)).toEqual(before.other)
        // Every other message is unchanged, and the damaged one keeps its position.
        const of = cell.table === 'messages' ? cell.row['id'] : undefined
        expect(now.messages.filter((message) => message.id !== of)).toEqual(
          before.own.messages.filter((message) => message.id !== of),
        )
        expect(now.messages.map((message) => message.id)).toEqual(before.own.messages.map((message) => message.id))
        // A difference must be explained.
        const same = isDeepStrictEqual([now, log], [before.own, before.log])
        const says = marksOf(now, log) > 0
        const plain = silent.has(nameOf(cell)) || isOfAnOlderRow(cell, damaged)
        expect(same || says || plain, `${cell.table}.${cell.column} ${kind}: ${damaged}`).toBe(true)
        if (says) seen.add(nameOf(cell))
        const exported = await exportOf(id)
        const copy = crypto.randomUUID()
        const taken = await sendTo(importRoute.POST, { cookie, method: 'POST', body: { id: copy, export: exported } })
        expect([200, 400]).toContain(taken.status)
        if (taken.status !== 200) return
        await sendTo(conversationRoute.DELETE, { cookie, method: 'DELETE', params: { id: copy } })
      } finally {
        await write(cell, cell.text)
      }
    }
    for (const cell of all) {
      const kinds = fc.constantFrom(...Object.keys(damages))
      const property = fc.asyncProperty(kinds, fc.double({ min: 0, max: 0.999, noNaN: true }), (kind, at) =>
        look(cell, kind, at),
      )
      await fc.assert(property, {
        numRuns: rounds(3),
        examples: [['another type', 0.1]],
      })
    }
    expect(await view(id)).toEqual(before.own)
    expect([...seen].toSorted()).toEqual([...new Set(all.map(nameOf))].filter((name) => !silent.has(name)).toSorted())
  }, 120_000)

  it.each([
    ['messages', 'body', 3],
    ['messages', 'body', 2],
    ['calls', 'outcome', 0],
    ['calls', 'release', 0],
    ['calls', 'stopped', 0],
    ['calls', 'body', 0],
    ['calls', 'decision', 0],
    ['amendments', 'call', 0],
    ['grants', 'scope', 0],
    ['log', 'body', 0],
    ['conversations', 'settings', 0],
  ] as const)('in %s.%s lets the user continue, and stays unchanged', async (table, column, nth) => {
    const id = await richChat()
    const cell = (await cellsOf(id)).filter((one) => one.table === table && one.column === column)[nth]
    if (!cell) throw new Error('there is no such cell')
    await write(cell, 'damaged')
    const { conversation, messages } = await view(id)
    const sent = await chat.send(id, 'are you there?', conversation.headId)
    const after = await view(id)
    expect(after.messages.slice(0, messages.length)).toEqual(messages)
    expect(after.conversation.headId).toBe(sent.replyId)
    // The default settings name another model, which this server does not have.
    const outcome = table === 'conversations' ? 'failed' : 'finished'
    expect(after.messages.at(-1)).toMatchObject({ role: 'assistant', outcome })
    const { rows } = await sql<Record<string, string>>`
      select ${sql.ref(column)} from ${sql.table(table)} where ${keyOf(cell.row)}`.execute(raw.tables)
    expect(rows[0]?.[column]).toBe('damaged')
  })

  it('never lets a call run if its amendment or its approval is lost', async () => {
    const id = await richChat()
    const found = await cellsOf(id)
    const [amendment, grant] = (['amendments', 'grants'] as const).map((table) =>
      found.find((one) => one.table === table),
    )
    if (!amendment || !grant) throw new Error('there is no such cell')
    await write(amendment, '7')
    await write(grant, '{"kind":"tool"}')
    const { amendments, grants, messages } = await view(id)
    expect(amendments).toMatchObject([{ call: null, unreadable: true }])
    expect(grants).toMatchObject([{ scope: { kind: 'unreadable' } }])
    const replyId = messages.at(-1)?.id ?? ''
    await expect(chat.decide(id, await chat.decision(replyId, 0, 'read_file'))).rejects.toMatchObject({
      code: 'call-not-open',
    })
    const by = { kind: 'grant', grantId: `g-${id}` } as const
    await expect(chat.decide(id, await chat.decision(replyId, 2, 'list_directory', { by }))).rejects.toMatchObject({
      code: 'conflict',
    })
    // Undoing the lost amendment restores the original call.
    await chat.service.amend('ada', id, { messageId: replyId, slot: 0, amendment: null })
    expect(await chat.decide(id, await chat.decision(replyId, 0, 'read_file'))).toMatchObject({ granted: true })
    expect(await chat.service.revokeGrant('ada', id, `g-${id}`)).toMatchObject({ scope: { kind: 'unreadable' } })
  })
})

describe('a damaged log of a reply', () => {
  const events = (...texts: readonly string[]): readonly RunEvent[] =>
    texts.map((text, at) => ({ seq: at + 2, type: 'delta', channel: 'text', text }))
  const begin = async () => {
    const id = await chat.newChat()
    const plan = testPlan(id, 1)
    await raw.store.append('ada', id, 'u1', plan, 5)
    const { runId } = plan.reply
    await raw.store.appendRunEvents({ owner: 'ada', runId }, events('CALL read_file ', '{"path":', '"/a"}'))
    const damage = (seq: number) =>
      sql`update run_events set body = 'damaged' where run_id = ${runId} and seq = ${seq}`.execute(raw.tables)
    return { id, runId, damage }
  }

  it('keeps what is readable, says that text is lost, and lets nothing in it run', async () => {
    const { id, runId, damage } = await begin()
    await damage(3)
    expect((await raw.store.readRunEvents({ owner: 'ada', runId }, 0, 100))?.events.map(({ seq }) => seq)).toEqual([
      1, 2,
    ])
    const ending = { outcome: 'finished', failure: null, usage: null, runnableCalls: 2 } as const
    expect(await raw.store.endRun({ owner: 'ada', runId }, ending, 9)).toBe(true)
    const reply = { text: 'CALL read_file "/a"}', outcome: 'interrupted', unreadable: 'part' }
    expect((await view(id)).messages.at(-1)).toMatchObject(reply)
    // Readers get the reply as it is stored.
    const seen: RunEvent[] = []
    for await (const some of await chat.service.events('ada', runId, 0, new AbortController().signal))
      seen.push(...some)
    expect(seen.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'start'],
      [2, 'delta'],
      [3, 'start'],
      [4, 'end'],
    ])
    expect(seen.at(-1)).toMatchObject({ outcome: 'interrupted' })
  })

  it('can end without its beginning', async () => {
    const { id, runId, damage } = await begin()
    await damage(1)
    const ending = { outcome: 'stopped', failure: null, usage: null, runnableCalls: 2 } as const
    expect(await raw.store.endRun({ owner: 'ada', runId }, ending, 9)).toBe(true)
    expect((await view(id)).messages.at(-1)).toMatchObject({ text: 'CALL read_file {"path":"/a"}', outcome: 'stopped' })
  })
})
