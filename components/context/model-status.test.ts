import { expect, it } from 'vitest'
import { createClientStore } from '@/lib/client/state/store'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { foreignIn, labelOf } from '@/lib/base/untrusted-text/foreign'
import { modelStatus } from './model-status'

it('says when a model waits, thinks or writes', () => {
  const store = createClientStore()
  const conversation = conversationRow({ headId: 'u1' })
  const view = { conversation, messages: [userRow('u1', null)], calls: [], amendments: [], grants: [] }
  const model = { id: conversation.settings.model, label: 'Demo (a script)', simulated: true }
  store.dispatch({ type: 'models-loaded', models: { models: [model] } as never })
  store.dispatch({ type: 'view-opened', conversationId })
  store.dispatch({ type: 'view-loaded', view: { ...view, activeRunId: 'r' } })
  store.dispatch({ type: 'run-joined', conversationId, runId: 'r', replyId: 'a' })
  const says = (place: number | null) => {
    store.dispatch({ type: 'run-queued', runId: 'r', place })
    return modelStatus(store.getState()).words
  }
  expect([says(2), says(0), says(null)]).toEqual([
    'Demo is waiting in the queue',
    'Demo is waiting in the queue',
    'Waiting for Demo',
  ])
  store.dispatch({ type: 'run-doing', runId: 'another', doing: 'is not this one' })
  store.dispatch({ type: 'run-doing', runId: 'r', doing: 'is reading the chat: 40 %' })
  expect(modelStatus(store.getState()).words).toBe('Demo is reading the chat: 40 %')
  const after = (seq: number, channel: 'reasoning' | 'text') => {
    store.dispatch({ type: 'run-events', runId: 'r', events: [{ seq, type: 'delta', channel, text: 'x' }] })
    return modelStatus(store.getState()).words
  }
  const reply = replyRow('a', 'u1', { text: '', outcome: null, runId: 'r' })
  store.dispatch({ type: 'run-events', runId: 'r', events: [{ seq: 1, type: 'start', message: reply }] })
  expect([after(2, 'reasoning'), after(3, 'text'), after(4, 'reasoning')]).toEqual([
    'Demo is thinking',
    'Demo is writing',
    'Demo is writing',
  ])
})

it.each([
  ['failed', 'off', 'The last reply of qwen3:8b failed'],
  ['stopped', 'none', ''],
  ['length', 'none', ''],
  ['interrupted', 'none', ''],
  ['finished', 'none', ''],
] as const)('says only what is true after a reply that is %s', (outcome, lamp, words) => {
  const status = statusAfter(replyRow('a1', 'u1', { model: 'ollama/qwen3:8b', outcome }))
  expect({ ...status, words: labelOf(status.words) }).toEqual({ lamp, words })
})

it('shows nothing for a listed model that has not answered, whatever another model did', () => {
  expect(statusAfter(null)).toEqual({ lamp: 'none', words: '' })
  expect(statusAfter(replyRow('a1', 'u1', { model: 'ollama/other' }))).toEqual({ lamp: 'none', words: '' })
})

it("says that a model can't be reached", () => {
  const failure = { code: 'unreachable' as const, message: '', detail: '' }
  const reply = replyRow('a1', 'u1', { model: 'ollama/qwen3:8b', outcome: 'failed', failure })
  expect(labelOf(statusAfter(reply).words)).toBe('qwen3:8b cannot be reached')
})

it('quotes a model’s name, and marks look-alike letters in it', () => {
  const twin = 'qwen3:8\u042c'
  const { words } = statusAfter(replyRow('a1', 'u1', { model: 'ollama/qwen3:8b', outcome: 'failed' }), twin)
  expect(foreignIn(words)).toEqual(['The last reply of ', { code: twin }, ' failed'])
  expect(labelOf(words)).toMatch(/⟨.+⟩ failed$/)
})

function statusAfter(reply: AssistantMessage | null, label = 'qwen3:8b') {
  const store = createClientStore()
  const settings = { ...conversationRow().settings, model: 'ollama/qwen3:8b' }
  const messages = [userRow('u1', null), ...(reply ? [reply] : [])]
  const conversation = conversationRow({ settings, headId: reply ? 'a1' : 'u1' })
  const model = { id: 'ollama/qwen3:8b', label, simulated: false }
  store.dispatch({ type: 'models-loaded', models: { models: [model] } as never })
  store.dispatch({ type: 'view-opened', conversationId })
  store.dispatch({
    type: 'view-loaded',
    view: { conversation, messages, calls: [], amendments: [], grants: [], activeRunId: null },
  })
  return modelStatus(store.getState())
}
