// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createNotificationService, longReplyMs, type EndNotice } from '@/lib/client/browser/notification-service'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { ChatProvider } from '@/components/context/chat-context'
import DoneNotice from './done-notice'

vi.mock('./reply-end-text', () => ({ replyEndText: () => Promise.resolve('Reply finished.') }))

let permission: NotificationPermission
let asked: number
let isPageVisible: boolean
let told: EndNotice[]

beforeEach(() => {
  vi.useFakeTimers()
  window.localStorage.clear()
  permission = 'default'
  asked = 0
  isPageVisible = true
  told = []
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function setUp() {
  const service = createNotificationService({
    storage: window.localStorage,
    permission: () => permission,
    askPermission() {
      asked += 1
      permission = 'granted'
      return Promise.resolve(permission)
    },
    isPageVisible: () => isPageVisible,
    show: (notice) => Promise.resolve(void told.push(notice)),
  })
  const store = createClientStore()
  const rows = { calls: [], amendments: [], grants: [], activeRunId: null }
  store.dispatch({ type: 'view-opened', conversationId })
  const messages = [userRow('u1', null), replyRow('a1', 'u1', { outcome: null })]
  store.dispatch({ type: 'view-loaded', view: { ...rows, conversation: conversationRow({ headId: 'a1' }), messages } })
  store.dispatch({ type: 'run-joined', conversationId, runId: 'run-a1', replyId: 'a1' })
  render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <DoneNotice service={service} />
    </ChatProvider>,
  )
  return store
}
const take = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const end = async (store: ReturnType<typeof setUp>) => {
  act(() => store.dispatch({ type: 'run-lost', runId: 'run-a1' }))
  await take(0)
}
const yes = () => screen.queryByRole('button', { name: 'Notify me' })

it('asks in place once a reply takes long, and never again after a no', async () => {
  setUp()
  await take(longReplyMs - 1)
  expect(yes()).toBeNull()
  await take(1)
  expect(yes()).not.toBeNull()
  expect(asked).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: 'No thanks' }))
  expect(yes()).toBeNull()
  cleanup()
  setUp()
  await take(longReplyMs)
  expect(yes()).toBeNull()
})

it('notifies the end of a long reply with the chat’s name while the page is hidden', async () => {
  const store = setUp()
  await take(longReplyMs)
  fireEvent.click(screen.getByRole('button', { name: 'Notify me' }))
  await take(0)
  expect(asked).toBe(1)
  isPageVisible = false
  await end(store)
  expect(told).toEqual([
    expect.objectContaining({ title: 'A chat', body: 'Reply finished.', address: `/c/${conversationId}` }),
  ])
})

it('sends no notification while the page is visible or for short replies', async () => {
  window.localStorage.setItem('nod:notify', 'on')
  permission = 'granted'
  const looking = setUp()
  await take(longReplyMs)
  await end(looking)
  cleanup()
  isPageVisible = false
  const short = setUp()
  await take(100)
  await end(short)
  expect(told).toEqual([])
})

it('does not ask if the browser has already denied permission', async () => {
  permission = 'denied'
  setUp()
  await take(longReplyMs)
  expect(screen.queryByRole('button')).toBeNull()
})
