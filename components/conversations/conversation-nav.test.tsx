// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/actions'
import { createClientStore } from '@/lib/client/store'
import { conversationRow } from '@/lib/client/testing/rows'
import { ConversationNav } from './conversation-nav'

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(cleanup)

const rows = [
  { id: 'c1', title: 'Orders per month', updatedAt: Date.now(), running: false, waitingCalls: 3 },
  { id: 'c2', title: 'Holiday photos', updatedAt: Date.now() - 1, running: true, waitingCalls: 0 },
]

function setUp() {
  const store = createClientStore()
  store.dispatch({ type: 'conversations-loaded', query: '', conversations: rows, next: '1.c2' })
  store.dispatch({ type: 'view-opened', conversationId: 'c1' })
  const chat = {
    open: vi.fn<ChatActions['open']>(),
    moreChats: vi.fn<ChatActions['moreChats']>(() => Promise.resolve(false)),
    newChat: vi.fn<ChatActions['newChat']>(),
    rename: vi.fn<ChatActions['rename']>(() => Promise.resolve()),
    remove: vi.fn<ChatActions['remove']>(() => Promise.resolve()),
    search: vi.fn<ChatActions['search']>(),
  }
  const onPicked = vi.fn<() => void>()
  render(
    <ChatProvider
      value={{
        store,
        chat: chat as Partial<ChatActions> as ChatActions,
        calls: {} as Partial<CallActions> as CallActions,
      }}
    >
      <ConversationNav onPicked={onPicked} />
    </ChatProvider>,
  )
  return { store, chat, onPicked, nav: within(screen.getByRole('navigation', { name: 'Conversations' })) }
}

describe('the conversation list', () => {
  it('has real links, marks the open chat, and says what waits and what is written', () => {
    const { nav } = setUp()
    const current = nav.getByRole('link', { name: /Orders per month/ })
    expect(current.getAttribute('href')).toBe('/c/c1')
    expect(current.getAttribute('aria-current')).toBe('page')
    expect(within(current).getByRole('img', { name: '3 calls wait for you' })).toBeDefined()
    expect(nav.getByRole('link', { name: /Holiday photos.*writing/ })).toBeDefined()
  })

  it('counts what waits in the open chat as the page knows it, also before the list is loaded again', () => {
    const { store, nav } = setUp()
    const conversation = conversationRow({ id: 'c1' })
    const rest = { messages: [], calls: [], amendments: [], grants: [], activeRunId: null }
    act(() => store.dispatch({ type: 'view-loaded', view: { conversation, ...rest } }))
    expect(within(nav.getByRole('link', { name: /Orders per month/ })).queryByRole('img')).toBeNull()
  })

  it('opens a chat here, and leaves Ctrl+click to the browser', () => {
    const { nav, chat, onPicked } = setUp()
    const link = nav.getByRole('link', { name: /Holiday/ })
    expect(fireEvent.click(link)).toBe(false)
    expect(chat.open).toHaveBeenCalledExactlyOnceWith('c2')
    expect(onPicked).toHaveBeenCalledOnce()
    link.addEventListener('click', (event) => event.preventDefault())
    fireEvent.click(link, { ctrlKey: true })
    expect(chat.open).toHaveBeenCalledOnce()
  })

  it('renames in place: Enter saves, Escape does not', async () => {
    const user = userEvent.setup()
    const { nav, chat } = setUp()
    await user.click(nav.getByRole('button', { name: 'Rename Orders per month' }))
    await user.keyboard('Sales{Enter}')
    expect(chat.rename).toHaveBeenCalledExactlyOnceWith('c1', 'Sales')
    await user.click(nav.getByRole('button', { name: 'Rename Orders per month' }))
    await user.keyboard('Other{Escape}')
    expect(chat.rename).toHaveBeenCalledOnce()
  })

  it('asks before it deletes', async () => {
    const user = userEvent.setup()
    const { nav, chat } = setUp()
    await user.click(nav.getByRole('button', { name: 'Delete Holiday photos' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this chat?' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(chat.remove).not.toHaveBeenCalled()
    await user.click(nav.getByRole('button', { name: 'Delete Holiday photos' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(chat.remove).toHaveBeenCalledExactlyOnceWith('c2')
  })

  it('goes on behind its end, says when it can’t, and ends', async () => {
    const { nav, chat, store } = setUp()
    fireEvent.click(nav.getByRole('button', { name: 'Older chats' }))
    expect(chat.moreChats).toHaveBeenCalledOnce()
    expect(await nav.findByRole('button', { name: 'They could not be loaded. Try again' })).toBeDefined()
    act(() => store.dispatch({ type: 'conversations-loaded', query: '', conversations: [], next: null, more: true }))
    expect(nav.queryByRole('button', { name: /Try again|Older chats/ })).toBeNull()
  })

  it('searches as one types and says when nothing is found', () => {
    const { nav, chat, store } = setUp()
    fireEvent.change(nav.getByRole('searchbox', { name: 'Search conversations' }), { target: { value: 'zebra' } })
    expect(chat.search).toHaveBeenCalledExactlyOnceWith('zebra')
    act(() => {
      store.dispatch({ type: 'query-changed', query: 'zebra' })
      store.dispatch({ type: 'conversations-loaded', query: 'zebra', conversations: [], next: null })
    })
    expect(nav.getByText('No chat is called “zebra”.')).toBeDefined()
  })
})
