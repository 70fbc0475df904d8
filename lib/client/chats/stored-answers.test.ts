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
// Then nobody asks any more.
afterEach(() => end())

/** A server that can be away: then what it said before is answered, as the service worker does. */
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

it('what was answered before is shown, as that, and the page goes on asking', async () => {
  const { store, chat, actions, view } = setUp()
  actions.open('c1')
  chat.start()
  await until(() => expect(view().phase).toBe('ready'))
  await until(() => expect(store.getState().conversations).toHaveLength(1))
  expect(store.getState().online).toBe(false)
  expect(view().keptAt).toBe(keptAt)
})

it('once the server is back all of it is read again, and nothing says otherwise', async () => {
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

it('what the page knows is newer than what was kept, and stays', async () => {
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

it('nobody sends by what was kept: only who reads is given it', async () => {
  const api = createNodApi(() => Promise.resolve(Response.json({ ...viewSaying('as it was'), keptAt })))
  expect(await api.view('c1')).toMatchObject({ ok: false, error: { code: 'unreachable' } })
  expect(await api.view('c1', { reads: true })).toMatchObject({ ok: true, value: { keptAt } })
})
