import { afterEach, expect, it } from 'vitest'
import { ok } from '@/lib/base/result'
import type { ConversationView } from '@/lib/shared/conversation/wire/api-types'
import { createNodApi, type NodApi } from '../api/nod-api'
import { openClientPage, until } from './testing/client-page'
import { createFakeServer } from './testing/fake-server'
import { conversationRow, userRow } from './testing/rows'

const keptAt = 5_000
const summary = { id: 'c1', title: 'A chat', updatedAt: 1, running: false, waitingCalls: 0 }
const viewSaying = (text: string): ConversationView => ({
  conversation: conversationRow({ headId: 'u1' }),
  messages: [userRow('u1', null, { text })],
  calls: [],
  amendments: [],
  grants: [],
  activeRunId: null,
})

const soon = <T>(value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, 1, value))

let end = () => {}
// Stops the page's requests.
afterEach(() => end())

/** A server that can be away: then earlier responses are returned, as the service worker does. */
function setUp() {
  const server = createFakeServer()
  const is = { away: true, words: 'as it was' }
  end = () => void (is.away = false)
  const kept = () => (is.away ? { keptAt } : {})
  const api: NodApi = {
    ...server.api,
    conversations: () => soon(ok({ conversations: [summary], next: null, ...kept() })),
    view: () => soon(ok({ ...viewSaying(is.words), ...kept() })),
  }
  return { is, ...openClientPage({ ...server, api }) }
}

it('shows a stored response as stored, and the page keeps asking', async () => {
  const { store, chat, actions, view } = setUp()
  actions.open('c1')
  chat.start()
  await until(() => expect(view().phase).toBe('ready'))
  await until(() => expect(store.getState().conversations).toHaveLength(1))
  expect(store.getState().online).toBe(false)
  expect(view().keptAt).toBe(keptAt)
})

it('reads everything again once the server is back, and removes the notice', async () => {
  const { is, store, chat, actions, words, view } = setUp()
  actions.open('c1')
  chat.start()
  await until(() => expect(words()).toEqual(['as it was']))
  Object.assign(is, { away: false, words: 'as it is' })
  chat.refresh()
  await until(() => expect(words()).toEqual(['as it is']))
  expect(store.getState().online).toBe(true)
  expect(view().keptAt).toBeNull()
})

it('keeps what the page knows when the stored copy is older', async () => {
  const { is, store, chat, actions, words } = setUp()
  Object.assign(is, { away: false, words: 'as it is' })
  actions.open('c1')
  chat.start()
  await until(() => expect(words()).toEqual(['as it is']))
  await until(() => expect(store.getState().conversations).toHaveLength(1))
  const before = store.getState().conversations
  Object.assign(is, { away: true, words: 'as it was' })
  chat.refresh()
  await until(() => expect(store.getState().online).toBe(false))
  expect(words()).toEqual(['as it is'])
  expect(store.getState().conversations).toBe(before)
})

it('sends nothing based on stored responses: only reading uses them', async () => {
  const api = createNodApi(() => Promise.resolve(Response.json({ ...viewSaying('as it was'), keptAt })))
  expect(await api.view('c1')).toMatchObject({ ok: false, error: { code: 'unreachable' } })
  expect(await api.view('c1', { reads: true })).toMatchObject({ ok: true, value: { keptAt } })
})
