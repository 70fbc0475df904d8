import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { createClientStore } from '@/lib/client/state/store'
import { callRow, conversationId, conversationRow, replyRow, runLog, userRow } from '@/lib/client/chats/testing/rows'
import { announceReplies } from './announcer'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const asks = toolContextBuilder.get('JSON_Strict').formatCalls([
  { name: 'write_file', arguments: { path: '/a.md', content: 'hello' } },
  { name: 'read_file', arguments: { path: '/b.md' } },
])

/** A chat in which a reply is streamed and ends. */
function setUp(text: string) {
  const store = createClientStore()
  const reply = replyRow('r', 'u', { text })
  const tools = conversationRow().settings.tools
  store.dispatch({
    type: 'view-new',
    conversation: conversationRow({ settings: { ...conversationRow().settings, tools: { ...tools, enabled: true } } }),
  })
  const said: string[] = []
  const stop = announceReplies(store, (words) => said.push(words))
  store.dispatch({ type: 'send-started', conversationId, message: userRow('u', null), headId: 'u' })
  store.dispatch({ type: 'run-joined', conversationId, runId: 'run-r', replyId: 'r' })
  const write = () =>
    store.dispatch({ type: 'run-events', runId: 'run-r', events: runLog(reply, text.match(/[\s\S]{1,20}/g) ?? []) })
  return { store, said, stop, write }
}

const outcome = { status: 'completed', result: 1, durationMs: 1, console: [], displays: [] } as const

/** A reply that has ended and been announced, and whose first call just ran. */
async function withFirstDone() {
  const chat = setUp(asks)
  chat.write()
  await vi.waitFor(() => expect(chat.said).toHaveLength(1))
  chat.store.dispatch({ type: 'call-recorded', call: callRow('r', 0, { name: 'write_file' }) })
  chat.store.dispatch({ type: 'call-recorded', call: callRow('r', 0, { name: 'write_file', outcome }) })
  return chat
}

it('announces once that a reply has finished, with none of its text', async () => {
  const { said, stop, write } = setUp('Just words, one after another, for a while.')
  write()
  await vi.waitFor(() => expect(said).toEqual(['Reply finished.']))
  stop()
  write()
  await vi.runAllTimersAsync()
  expect(said).toEqual(['Reply finished.'])
})

it.each([
  ['', 'The reply is empty.'],
  ['<think>I look at it first.</think>', 'Reply ended after thinking, without an answer.'],
])('announces that a reply has no answer: %j', async (text, words) => {
  const { said, write } = setUp(text)
  write()
  await vi.waitFor(() => expect(said).toEqual([words]))
})

it('announces a waiting call with the question of the first call', async () => {
  const { said, write } = setUp(asks)
  write()
  await vi.waitFor(() => expect(said).toHaveLength(1))
  expect(said[0]).toBe('Reply finished. 2 calls are waiting for you. write_file asks: Write 5 B to /a.md')
})

it('announces the results of several calls together, and a waiting result, but not a denial', async () => {
  const { store, said } = await withFirstDone()
  store.dispatch({ type: 'call-recorded', call: callRow('r', 1, { outcome, gated: true }) })
  await vi.runAllTimersAsync()
  expect(said[1]).toBe('2 calls are done. The result of read_file needs your review.')
  store.dispatch({ type: 'call-recorded', call: callRow('r', 2, { decision: 'deny' }) })
  await vi.runAllTimersAsync()
  expect(said).toHaveLength(2)
})

it('announces a call’s result and the end of the next reply in one sentence when both come at once', async () => {
  const { store, said } = await withFirstDone()
  store.dispatch({ type: 'send-started', conversationId, message: userRow('u2', 'r'), headId: 'u2' })
  store.dispatch({ type: 'run-joined', conversationId, runId: 'run-s', replyId: 's' })
  store.dispatch({
    type: 'run-events',
    runId: 'run-s',
    events: runLog(replyRow('s', 'u2', { text: 'Done.' }), ['Done.']),
  })
  await vi.runAllTimersAsync()
  expect(said[1]).toBe('write_file is done. Reply finished.')
  expect(said).toHaveLength(2)
})
