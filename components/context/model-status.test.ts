import { expect, it } from 'vitest'
import { createClientStore } from '@/lib/client/store'
import { conversationId, conversationRow, userRow } from '@/lib/client/testing/rows'
import { modelStatus } from './model-status'

it('says that a model is writing when it is, and not while its reply waits in the queue', () => {
  const store = createClientStore()
  const conversation = conversationRow()
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
    'Demo writes when a place is free',
    'Demo writes when a place is free',
    'Demo is writing',
  ])
  store.dispatch({ type: 'run-doing', runId: 'another', doing: 'is not this one' })
  store.dispatch({ type: 'run-doing', runId: 'r', doing: 'reads the chat: 40 %' })
  expect(modelStatus(store.getState()).words).toBe('Demo reads the chat: 40 %')
  store.dispatch({ type: 'run-events', runId: 'r', events: [{ seq: 2, type: 'delta', channel: 'text', text: 'x' }] })
  expect(modelStatus(store.getState()).words).toBe('Demo is writing')
})
