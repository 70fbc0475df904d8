// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider } from '@/components/context/chat-context'
import { onOpenFile } from '@/components/context/show-in-page'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationRow } from '@/lib/client/chats/testing/rows'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { Palette } from './palette'

const searched = vi.hoisted(() => ({ chats: vi.fn<() => unknown>(), search: vi.fn<() => unknown>() }))
const presets = vi.hoisted(() => ({ list: [] as { id: string; name: string; setup: object | null }[] }))
vi.mock('@/lib/client/wiring/find-api.browser', () => ({ findApi: searched }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ push: () => {} }), usePathname: () => '/c/c1' }))
vi.mock('@/components/presets/use-presets', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  usePresets: () => ({ presets: presets.list }),
}))

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
})
afterEach(cleanup)

const row = (id: string, title: string, updatedAt: number) => ({
  id,
  title,
  updatedAt,
  running: false,
  waitingCalls: 0,
})
const model = (id: string, label: string) => ({
  id,
  label,
  providerLabel: 'Ollama',
  contextTokens: null,
  simulated: false,
})
const nothingFound: { readonly chats: unknown; readonly search: unknown } = {
  chats: { ok: true, value: { conversations: [], next: null } },
  search: { ok: true, value: { found: [], next: null } },
}

async function setUp({ chats, search } = nothingFound) {
  searched.chats.mockResolvedValue(chats)
  searched.search.mockResolvedValue(search)
  const vfs = createMemoryVfs()
  await vfs.write('/notes/plan.md', new Uint8Array())
  const store = createClientStore()
  const own = conversationRow()
  store.dispatch({ type: 'view-new', conversation: own })
  const rows = [row('c1', 'The one that is open', 3), row('c2', 'Orders', 1), row('c3', '旅行计划', 2)]
  store.dispatch({ type: 'conversations-loaded', query: '', conversations: rows, next: null })
  const models = [model('demo/demo', 'Demo'), model('ollama/qwen3', 'qwen3:8b')]
  store.dispatch({ type: 'models-loaded', models: { models, defaultModel: 'demo/demo', problems: [] } })
  const chat = {
    open: vi.fn<ChatActions['open']>(),
    newChat: vi.fn<ChatActions['newChat']>(),
    updateSettings: vi.fn<ChatActions['updateSettings']>(() => Promise.resolve(null)),
  }
  const onClose = vi.fn<() => void>()
  const onDialog = vi.fn<(dialog: string) => void>()
  render(
    <ChatProvider
      value={{
        store,
        chat: chat as Partial<ChatActions> as ChatActions,
        calls: {} as Partial<CallActions> as CallActions,
      }}
    >
      <ToolRuntimeProvider value={() => Promise.resolve({ vfs } as Partial<ToolRuntime> as ToolRuntime)}>
        <InThread>
          <Palette onClose={onClose} onDialog={onDialog} />
        </InThread>
      </ToolRuntimeProvider>
    </ChatProvider>,
  )
  const field = screen.getByRole('combobox')
  const chosen = () => screen.getByRole('option', { selected: true }).textContent
  return { chat, onClose, onDialog, field, chosen, user: userEvent.setup(), settings: own.settings }
}

it('starts with the previous chat: Enter opens it', async () => {
  const { user, chosen, chat, onClose, field } = await setUp()
  expect(chosen()).toBe('旅行计划')
  expect(screen.queryByText('The one that is open')).toBeNull()
  await user.click(field)
  await user.keyboard('{Enter}')
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(chat.open).toHaveBeenCalledExactlyOnceWith('c3')
})

it('moves with arrow keys, wraps around, and announces the current row', async () => {
  const { user, chosen, field } = await setUp()
  await user.click(field)
  await user.keyboard('{ArrowUp}')
  const options = screen.getAllByRole('option')
  expect(chosen()).toBe(options.at(-1)?.textContent)
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(chosen()).toBe('Orders')
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
})

it('changes the chat’s model and call format', async () => {
  const { user, field, chat, settings } = await setUp()
  await user.type(field, 'qwen{Enter}')
  expect(chat.updateSettings).toHaveBeenLastCalledWith({ ...settings, model: 'ollama/qwen3' })
  await user.clear(field)
  await user.type(field, 'xml{Enter}')
  expect(chat.updateSettings).toHaveBeenLastCalledWith({ ...settings, strategy: 'XML_Tag' })
  expect(within(screen.getByRole('group', { name: 'Call formats' })).getAllByRole('option')).toHaveLength(1)
})

it('starts a new chat with a preset', async () => {
  presets.list = [
    { id: 'p1', name: 'Reviewer', setup: { strategy: 'VCP' } },
    { id: 'p2', name: 'Reviews that nobody can read', setup: null },
  ]
  const { user, field, chat } = await setUp()
  await user.type(field, 'review')
  expect(within(screen.getByRole('group', { name: 'New chat with a preset' })).getAllByRole('option')).toHaveLength(1)
  await user.keyboard('{Enter}')
  expect(chat.newChat).toHaveBeenCalledTimes(1)
  expect(chat.updateSettings.mock.lastCall?.[0].strategy).toBe('VCP')
  presets.list = []
})

it('opens a file of the chat, and runs commands of the page', async () => {
  const { user, field, onDialog } = await setUp()
  const opened = vi.fn<(request: unknown) => void>()
  const leave = onOpenFile(opened)
  await user.type(field, 'plan')
  await screen.findByRole('option', { name: /plan\.md/ })
  await user.click(screen.getByRole('option', { name: /plan\.md/ }))
  expect(opened).toHaveBeenCalledWith({ conversationId: 'c1', path: '/notes/plan.md' })
  await user.clear(field)
  await user.type(field, 'import{Enter}')
  expect(onDialog).toHaveBeenCalledWith('import')
  leave()
})

it('finds the server’s chats and messages, and says what could not be searched', async () => {
  const message = {
    conversationId: 'c9',
    messageId: 'm1',
    title: 'Old',
    by: 'you',
    at: 1,
    snippet: [{ text: 'a quokka' }],
  }
  const { user, field } = await setUp({
    chats: { ok: true, value: { conversations: [row('c8', 'Quokka and wombat', 1)], next: null } },
    search: { ok: true, value: { found: [message], next: null } },
  })
  await user.type(field, 'quokka')
  expect(await screen.findByRole('option', { name: 'Quokka and wombat' })).toBeTruthy()
  expect(screen.getByRole('option', { name: /a quokka/ })).toBeTruthy()
  cleanup()
  const broken = await setUp({
    ...nothingFound,
    search: { ok: false, error: { message: 'The server cannot be reached.' } },
  })
  await broken.user.type(broken.field, 'orders')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Older chats and messages could not be searched. The server cannot be reached.',
  )
  expect(broken.chosen()).toBe('Orders')
})

it('runs nothing during input method composition or without a match', async () => {
  const { user, field, chat, onClose } = await setUp()
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
  expect(onClose).not.toHaveBeenCalled()
  await user.type(field, 'zzzz')
  expect(await screen.findByText('No results for “zzzz”.')).toBeTruthy()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(chat.open).not.toHaveBeenCalled()
  await act(async () => {})
})
