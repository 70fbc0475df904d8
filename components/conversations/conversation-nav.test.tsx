// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ReactNode } from 'react'
import { ChatProvider } from '@/components/context/chat-context'
import { useCommand } from '@/components/context/commands'
import { formatKeys } from '@/components/ui/controls/kbd'
import { commandKeys } from '@/lib/client/commands/command-keys'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { speakTo } from '@/lib/base/text/languages'
import { loadMessagesOf } from '@/lib/i18n/load-messages'
import { conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { ConversationNav, preloadChatRows } from './conversation-nav'

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
beforeAll(preloadChatRows)
afterEach(cleanup)

const rows = [
  { id: 'c1', title: 'Orders per month', updatedAt: Date.now(), running: false, waitingCalls: 3 },
  { id: 'c2', title: 'Holiday photos', updatedAt: Date.now() - 1, running: true, waitingCalls: 0 },
]

function setUp(name = 'Chats', beside: ReactNode = null, list: typeof rows | null = rows) {
  const store = createClientStore()
  if (list) store.dispatch({ type: 'conversations-loaded', query: '', conversations: list, next: '1.c2' })
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
      {beside}
      <ConversationNav onPicked={onPicked} />
    </ChatProvider>,
  )
  return { store, chat, onPicked, nav: within(screen.getByRole('navigation', { name })) }
}

it('says what the list waits for: the server’s answer, or the server', async () => {
  const { store, nav } = setUp('Chats', null, null)
  expect(await nav.findByText('Loading your chats…')).toBeDefined()
  act(() => store.dispatch({ type: 'online-changed', online: false }))
  expect(nav.queryByText('Loading your chats…')).toBeNull()
  expect(nav.getByRole('status').textContent).toBe('Your chats appear here when the server can be reached again.')
  act(() => store.dispatch({ type: 'online-changed', online: true }))
  expect(await nav.findByText('Loading your chats…')).toBeDefined()
})

it('updates each chat’s actions when the language changes', async () => {
  const { nav } = setUp()
  expect(await loadMessagesOf('zh-CN')).toBe(true)
  act(() => speakTo('zh-CN'))
  expect(nav.getByRole('button', { name: '重命名“Holiday photos”' })).toBeDefined()
  expect(nav.getByRole('button', { name: '删除“Holiday photos”' })).toBeDefined()
  expect(nav.getByRole('link', { name: /Holiday photos.*正在回复/ })).toBeDefined()
  cleanup()
  setUp('对话列表')
  const { textContent } = screen.getByRole('navigation')
  expect(textContent?.replaceAll(/Nod|Orders per month|Holiday photos|Ctrl|⌘|\+|K/g, '')).not.toMatch(/[A-Za-z]{2}/)
  act(() => speakTo('en'))
})

it('hides itself, and opens the palette from its menu, by the commands of the page', async () => {
  const user = userEvent.setup()
  const commands = { list: vi.fn<() => void>(), palette: vi.fn<() => void>() }
  function Commands() {
    useCommand('list', commands.list)
    useCommand('palette', commands.palette)
    return null
  }
  const { nav, onPicked } = setUp('Chats', <Commands />)
  await user.click(nav.getByRole('button', { name: 'Hide the list of chats' }))
  expect(commands.list).toHaveBeenCalledOnce()
  await user.click(nav.getByRole('button', { name: 'Settings and tools' }))
  await user.click(await screen.findByRole('menuitem', { name: /^Commands/ }))
  expect(commands.palette).toHaveBeenCalledOnce()
  // In a sheet, the list makes room for it.
  expect(onPicked).toHaveBeenCalledOnce()
})

it('has everything that is not a chat in one menu', async () => {
  const user = userEvent.setup()
  const { nav } = setUp()
  const opener = nav.getByRole('button', { name: 'Settings and tools' })
  await user.click(opener)
  const menu = within(await screen.findByRole('menu', { name: 'Settings and tools' }))
  expect(menu.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'Settings',
    'ThemeSystem',
    'LanguageEnglish',
    `Commands${formatKeys(commandKeys.palette[0], false)}`,
    'Keyboard shortcuts?',
    'Organize chats',
    'Playground',
    'Call format lab',
    'Import a chat',
    'Check a record',
    'Licenses',
  ])
  await user.click(menu.getByRole('menuitem', { name: /^Theme/ }))
  await user.click(screen.getByRole('menuitem', { name: 'Dark' }))
  expect(document.documentElement.dataset['theme']).toBe('dark')
  await user.click(opener)
  await user.click(await screen.findByRole('menuitem', { name: 'Import a chat' }))
  expect(await screen.findByRole('dialog', { name: 'Import a chat' })).toBeDefined()
})

describe('the conversation list', () => {
  it('has real links, marks the open chat, and shows waiting calls and running replies', () => {
    const { nav } = setUp()
    const current = nav.getByRole('link', { name: /Orders per month/ })
    expect(current.getAttribute('href')).toBe('/c/c1')
    expect(current.getAttribute('aria-current')).toBe('page')
    expect(within(current).getByRole('img', { name: '3 calls are waiting for you' })).toBeDefined()
    expect(nav.getByRole('link', { name: /Holiday photos.*writing/ })).toBeDefined()
  })

  it('says that a queued reply is in the queue, not that it is being written', () => {
    const { store, nav } = setUp()
    const conversations = rows.map((row) => (row.id === 'c2' ? { ...row, queued: true as const } : row))
    act(() => store.dispatch({ type: 'conversations-loaded', query: '', conversations, next: null }))
    expect(nav.getByRole('link', { name: /Holiday photos.*in the queue/ })).toBeDefined()
    // The page knows when the open chat's turn comes.
    const conversation = conversationRow({ id: 'c2' })
    const rest = { messages: [], calls: [], amendments: [], grants: [], activeRunId: null }
    act(() => {
      store.dispatch({ type: 'view-opened', conversationId: 'c2' })
      store.dispatch({ type: 'view-loaded', view: { conversation, ...rest } })
      store.dispatch({ type: 'run-joined', conversationId: 'c2', runId: 'r', replyId: 'a' })
    })
    expect(nav.getByRole('link', { name: /Holiday photos.*writing/ })).toBeDefined()
    act(() => store.dispatch({ type: 'run-queued', runId: 'r', place: 2 }))
    expect(nav.getByRole('link', { name: /Holiday photos.*in the queue/ })).toBeDefined()
  })

  it.each([
    ['browser/paste:any chat', 'demo/demo', /Holiday photos.*writing/],
    ['demo/demo', 'browser/paste:any chat', /Holiday photos.*waiting for a paste/],
  ])('shows a reply’s state from the open chat rather than from the list (%s, %s)', (listed, model, words) => {
    const { store, nav } = setUp()
    const isPasted = listed.startsWith('browser/paste')
    const conversations = rows.map((row) => (row.id === 'c2' && isPasted ? { ...row, pasted: true as const } : row))
    act(() => store.dispatch({ type: 'conversations-loaded', query: '', conversations, next: null }))
    const before = isPasted ? /Holiday photos.*waiting for a paste/ : /Holiday photos.*writing/
    expect(nav.getByRole('link', { name: before })).toBeDefined()
    const conversation = conversationRow({ id: 'c2', headId: 'a' })
    const messages = [userRow('u', null), replyRow('a', 'u', { model, outcome: null })]
    const rest = { messages, calls: [], amendments: [], grants: [], activeRunId: 'r' }
    act(() => {
      store.dispatch({ type: 'view-opened', conversationId: 'c2' })
      store.dispatch({ type: 'view-loaded', view: { conversation, ...rest } })
      store.dispatch({ type: 'run-joined', conversationId: 'c2', runId: 'r', replyId: 'a' })
    })
    expect(nav.getByRole('link', { name: words })).toBeDefined()
  })

  it('counts waiting calls of the open chat from the page, even before the list reloads', () => {
    const { store, nav } = setUp()
    const conversation = conversationRow({ id: 'c1' })
    const rest = { messages: [], calls: [], amendments: [], grants: [], activeRunId: null }
    act(() => store.dispatch({ type: 'view-loaded', view: { conversation, ...rest } }))
    expect(within(nav.getByRole('link', { name: /Orders per month/ })).queryByRole('img')).toBeNull()
  })

  it('opens a chat in place, and leaves Ctrl+click to the browser', () => {
    const { nav, chat, onPicked } = setUp()
    const link = nav.getByRole('link', { name: /Holiday/ })
    expect(fireEvent.click(link)).toBe(false)
    expect(chat.open).toHaveBeenCalledExactlyOnceWith('c2')
    expect(onPicked).toHaveBeenCalledOnce()
    link.addEventListener('click', (event) => event.preventDefault())
    fireEvent.click(link, { ctrlKey: true })
    expect(chat.open).toHaveBeenCalledOnce()
  })

  it('renames in place: Enter saves, Escape cancels', async () => {
    const user = userEvent.setup()
    const { nav, chat } = setUp()
    await user.click(nav.getByRole('button', { name: 'Rename Orders per month' }))
    await nav.findByRole('textbox', { name: 'Title' })
    await user.keyboard('Sales{Enter}')
    expect(chat.rename).toHaveBeenCalledExactlyOnceWith('c1', 'Sales')
    await user.click(nav.getByRole('button', { name: 'Rename Orders per month' }))
    await user.keyboard('Other{Escape}')
    expect(chat.rename).toHaveBeenCalledOnce()
  })

  it('deletes on click, with an undo', async () => {
    const user = userEvent.setup()
    const { nav, chat } = setUp()
    await user.click(nav.getByRole('button', { name: 'Delete Holiday photos' }))
    expect(chat.remove).toHaveBeenCalledExactlyOnceWith(['c2'])
  })

  it('shows pinned chats first, and offers more actions in a menu', async () => {
    const user = userEvent.setup()
    const { nav, chat, store } = setUp()
    const conversations = rows.map((row) => (row.id === 'c2' ? { ...row, pinned: true as const } : row))
    act(() => store.dispatch({ type: 'conversations-loaded', query: '', conversations, next: null }))
    expect(nav.getAllByRole('region').map((group) => group.getAttribute('aria-label'))).toEqual(['Pinned', 'Today'])
    await user.click(nav.getByRole('button', { name: 'More for Holiday photos' }))
    const menu = within(await screen.findByRole('menu', { name: 'This chat' }))
    expect(menu.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Rename',
      'Generate a title',
      'Unpin',
      'Archive',
      'Tags…',
      'Move to project',
      'Share or export…',
      'Delete',
    ])
    await user.click(menu.getByRole('menuitem', { name: 'Delete' }))
    expect(chat.remove).toHaveBeenCalledExactlyOnceWith(['c2'])
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('moves with the arrow keys from the search field through the list, and back with Escape', async () => {
    const user = userEvent.setup()
    const { nav } = setUp()
    const field = nav.getByRole('searchbox', { name: 'Search chats' })
    await user.click(field)
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toBe(nav.getByRole('link', { name: /Holiday/ }))
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(nav.getByRole('link', { name: /Orders/ }))
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(field)
  })

  it('loads more at its end, reports errors, and stops after the last page', async () => {
    const { nav, chat, store } = setUp()
    fireEvent.click(nav.getByRole('button', { name: 'Older chats' }))
    expect(chat.moreChats).toHaveBeenCalledOnce()
    expect(await nav.findByRole('button', { name: 'Older chats could not be loaded. Try again' })).toBeDefined()
    act(() => store.dispatch({ type: 'conversations-loaded', query: '', conversations: [], next: null, more: true }))
    expect(nav.queryByRole('button', { name: /Try again|Older chats/ })).toBeNull()
  })

  it('searches while typing and says when nothing is found', () => {
    const { nav, chat, store } = setUp()
    fireEvent.change(nav.getByRole('searchbox', { name: 'Search chats' }), { target: { value: 'zebra' } })
    expect(chat.search).toHaveBeenCalledExactlyOnceWith('zebra')
    act(() => {
      store.dispatch({ type: 'query-changed', query: 'zebra' })
      store.dispatch({ type: 'conversations-loaded', query: 'zebra', conversations: [], next: null })
    })
    expect(nav.getByText(/^No chat is named/).textContent).toBe('No chat is named “zebra”.')
  })
})
