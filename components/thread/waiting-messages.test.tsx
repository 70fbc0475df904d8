// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import type { WaitingMessage } from '@/lib/client/state/state'
import { conversationId, conversationRow, userRow } from '@/lib/client/chats/testing/rows'
import { WaitingMessages } from './waiting-messages'

afterEach(cleanup)

const item = (over: Partial<WaitingMessage> = {}, entry: Partial<WaitingMessage['entry']> = {}): WaitingMessage => ({
  entry: {
    version: 1,
    id: 'u9',
    conversationId,
    parentId: null,
    text: 'precious words',
    createdAt: 1,
    refusal: null,
    ...entry,
  },
  kept: true,
  sending: false,
  ...over,
})

function setUp(...outbox: WaitingMessage[]) {
  return setUpIn(conversationRow(), ...outbox)
}

function setUpIn(conversation: ReturnType<typeof conversationRow>, ...outbox: WaitingMessage[]) {
  const store = createClientStore()
  const view = { conversation, messages: [], calls: [], amendments: [], grants: [] }
  store.dispatch({ type: 'view-opened', conversationId })
  store.dispatch({ type: 'view-loaded', view: { ...view, activeRunId: null } })
  store.dispatch({ type: 'outbox-changed', outbox })
  const sendWaiting = vi.fn<ChatActions['sendWaiting']>()
  const rewriteWaiting = vi.fn<ChatActions['rewriteWaiting']>(() => Promise.resolve(true))
  const discardWaiting = vi.fn<ChatActions['discardWaiting']>(() => Promise.resolve(false))
  const chat = { sendWaiting, rewriteWaiting, discardWaiting } as Partial<ChatActions> as ChatActions
  render(
    <ChatProvider value={{ store, chat, calls: {} as CallActions }}>
      <InThread>
        <WaitingMessages />
      </InThread>
    </ChatProvider>,
  )
  return { store, sendWaiting, rewriteWaiting, discardWaiting }
}

it('says why the server does not accept it yet, and that it is retried', () => {
  setUp(item({ why: 'The server writes as many replies as it can.' }))
  expect(screen.getByRole('status').textContent).toBe(
    'Not sent yet. The server writes as many replies as it can. Nod retries automatically.',
  )
})

it('shows this chat’s waiting messages and what they wait for, and hides them once sent', async () => {
  const { store, sendWaiting } = setUp(item(), item({}, { id: 'other', conversationId: 'c2', text: 'elsewhere' }))
  expect(screen.getAllByRole('article')).toHaveLength(1)
  expect(screen.getByRole('article').textContent).toContain('precious words')
  expect(screen.getByRole('status').textContent).toBe('Waiting for the server. Sends automatically.')
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }))
  expect(sendWaiting).toHaveBeenCalledOnce()
  act(() => store.dispatch({ type: 'send-started', conversationId, message: userRow('u9', null), headId: null }))
  expect(screen.queryByRole('article')).toBeNull()
})

it('can be edited in place, and says when an edit comes too late', async () => {
  const { rewriteWaiting, discardWaiting } = setUp(item())
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Edited message' }), ' now{Enter}')
  expect(rewriteWaiting).toHaveBeenCalledExactlyOnceWith('u9', 'precious words now')
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(discardWaiting).toHaveBeenCalledExactlyOnceWith('u9')
  expect(screen.getByRole('status').textContent).toContain('cannot be edited')
})

it.each<[string, WaitingMessage, string]>([
  ['the server refused it', item({}, { refusal: 'It is too long.' }), 'Not sent. It is too long.'],
  ['it is on its way', item({ sending: true }), 'Sending again…'],
  ['the browser keeps nothing', item({ kept: false }), 'Keep the page open until it is sent'],
])('says so when %s', (_, waiting, words) => {
  setUp(waiting)
  expect(screen.getByRole('status').textContent).toContain(words)
})

it('says that a reply blocks it, and that the server can’t be reached', () => {
  const { store } = setUp(item())
  act(() => store.dispatch({ type: 'online-changed', online: false }))
  expect(screen.getByRole('status').textContent).toContain('which cannot be reached. Sends automatically.')
  act(() => store.dispatch({ type: 'run-joined', conversationId, runId: 'r1', replyId: 'a1' }))
  expect(screen.getByRole('status').textContent).toContain('Sends after the current reply.')
  expect(screen.getByRole('button', { name: 'Try now' })).toHaveProperty('disabled', true)
})

it('says in a copy-and-paste chat what works without the server, and where', async () => {
  const { settings } = conversationRow()
  const { store } = setUpIn(conversationRow({ settings: { ...settings, model: 'browser/paste:any chat' } }), item())
  expect(screen.queryByRole('link')).toBeNull()
  act(() => store.dispatch({ type: 'online-changed', online: false }))
  const link = await screen.findByRole('link', { name: 'Open the playground in a new tab' })
  expect(link.getAttribute('href')).toMatch(/\/playground$/)
  expect(screen.getByText(/paste a reply there, run its calls/)).toBeTruthy()
})
