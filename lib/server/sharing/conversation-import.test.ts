import { expect, it } from 'vitest'
import { testCall, testConversation, testReply, testUserMessage } from '@/lib/server/store/testing/rows'
import { callHash } from '@/lib/shared/calls/call-hash'
import { messageCalls } from '@/lib/shared/calls/message-calls'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import { planImport } from './conversation-import'
import { lineBuilder, lineTools } from '../chats/testing/line-strategy'

/* Counts the cost of an import: anyone can send one, and the process serves others meanwhile. */

/** Replies with this many calls each, every call with a decision, an amendment and a posted result. */
function exportOf(replies: number, callsEach: number): ConversationExport {
  const numbers = Array.from({ length: replies }, (_, n) => n)
  const slots = Array.from({ length: callsEach }, (_, slot) => slot)
  const text = slots.map((slot) => `CALL read_file {"path":"/${slot}"}`).join('\n')
  const result = (n: number, slot: number) =>
    ({
      messageId: `a${n}`,
      slot,
      callId: 'c',
      name: 'read_file',
      status: 'completed',
      result: 1,
      durationMs: 1,
    }) as const
  return {
    format: 'nod-conversation',
    version: 2,
    exportedAt: 1,
    conversation: testConversation('old'),
    messages: numbers.flatMap((n) => [
      testUserMessage('old', `u${n}`),
      testReply('old', `a${n}`, `u${n}`, { text, outcome: 'finished' }),
      testUserMessage('old', `r${n}`, { parentId: `a${n}`, results: slots.map((slot) => result(n, slot)) }),
    ]),
    calls: numbers.flatMap((n) => slots.map((slot) => testCall(`a${n}`, slot, { postedIn: `r${n}` }))),
    amendments: numbers.flatMap((n) => slots.map((slot) => ({ messageId: `a${n}`, slot, call: null, amendedAt: 1 }))),
    grants: [],
    log: [],
  }
}

/** Counts how often any row of the export is read. */
function counted(exported: ConversationExport) {
  let looks = 0
  const watch = <Row extends object>(row: Row): Row =>
    new Proxy(row, {
      get: (target, key) => {
        looks += 1
        return Reflect.get(target, key) as unknown
      },
    })
  const watched = {
    ...exported,
    messages: exported.messages.map(watch),
    calls: exported.calls.map(watch),
    amendments: exported.amendments.map(watch),
  }
  return { watched, looks: () => looks }
}

async function costOf(replies: number, callsEach: number) {
  const { watched, looks } = counted(exportOf(replies, callsEach))
  const reads: string[] = []
  let breaths = 0
  let longest = 0
  const imported = await planImport('new', watched, watched.conversation.settings, {
    newId: () => crypto.randomUUID(),
    now: 1,
    readCalls: (message) => {
      reads.push(message.id)
      longest += 1
      return messageCalls(lineBuilder.parseResponse(message.strategy, message.text, lineTools))
    },
    breathe: () => {
      breaths += 1
      expect(longest).toBeLessThanOrEqual(1)
      longest = 0
      return Promise.resolve()
    },
  })
  expect(imported.calls).toHaveLength(replies * callsEach)
  return { reads, breaths, looks: looks() }
}

it.each([
  [1, 1_000],
  [300, 3],
])('reads each of %d replies with %d calls once, and yields to other work in between', async (replies, each) => {
  const { reads, breaths } = await costOf(replies, each)
  expect(reads).toHaveLength(replies)
  expect(new Set(reads).size).toBe(replies)
  expect(breaths).toBeGreaterThanOrEqual(replies)
})

it.each([
  ['calls per reply', (n: number) => costOf(1, n)],
  ['replies', (n: number) => costOf(n, 2)],
] as const)('reads only twice as many rows for twice as many %s', async (_, cost) => {
  const [once, twice] = [await cost(200), await cost(400)]
  expect(twice.looks).toBeLessThan(once.looks * 2.1)
})

it.each([
  ['beyond the calls', 3],
  ['far beyond', 2 ** 30 - 1],
])('refuses a decision whose slot is %s of its reply', async (_, slot) => {
  const exported = exportOf(1, 3)
  const calls = [testCall('a0', slot)]
  const read = messageCalls(lineBuilder.parseResponse('JSON_Strict', 'CALL read_file {"path":"/0"}', lineTools))
  const ports = { newId: () => 'x', now: 1, callHash, readCalls: () => read, breathe: () => Promise.resolve() }
  await expect(planImport('new', { ...exported, calls }, exported.conversation.settings, ports)).rejects.toMatchObject({
    code: 'bad-request',
  })
  // A call that the user promoted may be at a position where the reader sees none.
  const promoted = [testCall('a0', 2 ** 30 + 5, { changed: { name: 'read_file', arguments: {} } })]
  expect(
    (
      await planImport('new', { ...exported, calls: promoted }, exported.conversation.settings, {
        ...ports,
        newId: () => crypto.randomUUID(),
      })
    ).calls,
  ).toHaveLength(1)
})

it('lets no file claim that a server used constrained decoding for its replies', async () => {
  const exported = exportOf(1, 1)
  const claims = ['honoured', 'broken', 'asked'] as const
  for (const is of claims) {
    const messages = exported.messages.map((message) =>
      message.role === 'assistant' ? { ...message, exact: { is, form: 'gbnf' as const } } : message,
    )
    const imported = await planImport('new', { ...exported, messages }, exported.conversation.settings, {
      newId: () => crypto.randomUUID(),
      now: 1,
      readCalls: (message) => messageCalls(lineBuilder.parseResponse(message.strategy, message.text, lineTools)),
      breathe: () => Promise.resolve(),
    })
    const said = imported.messages.flatMap((message) => (message.role === 'assistant' ? [message.exact?.is] : []))
    expect(said).toEqual([is === 'honoured' ? 'asked' : is])
  }
})
