// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import MemoryEditor from '@/components/projects/memory-editor'
import NewProject from '@/components/projects/new-project'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { newConversation } from '@/lib/client/chats/new-conversation'
import { viewOf } from '@/lib/client/state/open-conversations'
import { createClientStore } from '@/lib/client/state/store'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { Memory, Project, ProjectToAdd } from '@/lib/shared/conversation/settings/project'
import ChatMenu from '../chat-menu'
import ProjectGroups from './project-groups'

const copied = vi.hoisted(() => vi.fn<(project: string, chat: string) => Promise<string | null>>(async () => null))
vi.mock('@/lib/client/wiring/files/project-files.browser', () => ({
  copyProjectFiles: copied,
  filesOfProject: () => Promise.resolve({ ok: true, value: [] }),
  placeProjectFiles: () => Promise.resolve(null),
}))

const row = (id: string, over: Partial<ConversationSummary> = {}): ConversationSummary => ({
  id,
  title: `chat ${id}`,
  updatedAt: 1,
  running: false,
  waitingCalls: 0,
  ...over,
})

/** The server's requests that this test uses. */
const server = {
  projects: [] as Project[],
  memory: { text: '', version: 0, earlier: [] } as Memory,
  sorted: [] as unknown[],
}
const json = (value: unknown, status = 200) => Promise.resolve(Response.json(value, { status }))

function answer(path: string, method: string, body: unknown): Promise<Response> {
  if (path.startsWith('/api/projects') && method === 'POST') {
    const { id, name, instructions, setup } = body as ProjectToAdd
    server.projects = [...server.projects, { id, name, instructions, setup, chats: 0 }]
    return json({ project: server.projects.at(-1) })
  }
  if (path.startsWith('/api/projects')) return json({ projects: server.projects })
  if (path.startsWith('/api/memory') && method === 'PUT') {
    const { text, version } = body as { text: string; version: number }
    if (version !== server.memory.version) {
      return json({ error: { code: 'conflict', message: 'The memory was changed elsewhere.' } }, 409)
    }
    server.memory = { text, version: version + 1, earlier: [{ text: server.memory.text, at: 1_000 }] }
  }
  if (path.startsWith('/api/memory')) return json({ memory: server.memory })
  if (method === 'PATCH') {
    server.sorted.push(body)
    return json({ changed: (body as { ids: string[] }).ids })
  }
  return json({ conversations: [row('inside', { project: 'p' })], next: null })
}

beforeEach(() => {
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
  server.projects = [{ id: 'p', name: 'Boat', instructions: 'Sail.', setup: null, chats: 1 }]
  server.memory = { text: '', version: 0, earlier: [] }
  server.sorted = []
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) =>
    answer(input, init.method ?? 'GET', typeof init.body === 'string' ? JSON.parse(init.body) : null),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(what: React.ReactNode) {
  const store = createClientStore()
  store.dispatch({ type: 'view-new', conversation: newConversation('new', 'demo/demo', 1) })
  const chat = { newChat: vi.fn<() => void>(), listChanged: vi.fn<() => void>(), open: vi.fn<(id: string) => void>() }
  render(
    <ChatProvider
      value={{
        store,
        chat: chat as Partial<ChatActions> as ChatActions,
        calls: {} as Partial<CallActions> as CallActions,
      }}
    >
      {what}
    </ChatProvider>,
  )
  return { store, chat, user: userEvent.setup() }
}

test('a project shows its chats and how many calls wait, and starts a chat with a copy of its files', async () => {
  const onPicked = vi.fn<() => void>()
  const rows = [row('inside', { project: 'p', waitingCalls: 2 })]
  const { store, chat, user } = show(<ProjectGroups rows={rows} currentId={null} onPicked={onPicked} />)
  const group = await screen.findByRole('button', { name: /^Boat/, expanded: false })
  expect(within(group).getByRole('img', { name: /2/ })).toBeDefined()
  await user.click(group)
  expect((await screen.findByRole('link', { name: /^chat inside/ })).getAttribute('href')).toBe('/c/inside')
  await user.click(screen.getByRole('button', { name: 'More for project Boat' }))
  await user.click(screen.getByRole('menuitem', { name: 'New chat in this project' }))
  expect(chat.newChat).toHaveBeenCalledOnce()
  expect(viewOf(store.getState()).conversation).toMatchObject({ id: 'new', project: 'p' })
  await waitFor(() => expect(copied).toHaveBeenCalledWith('p', 'new'))
})

test('a project’s chats are listed even if the projects could not be loaded', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  vi.resetModules()
  const { default: Fresh } = await import('./project-groups')
  const context = await import('@/components/context/chat-context')
  const store = createClientStore()
  render(
    <context.ChatProvider
      value={{
        store,
        chat: {} as Partial<ChatActions> as ChatActions,
        calls: {} as Partial<CallActions> as CallActions,
      }}
    >
      <Fresh rows={[row('inside', { project: 'p' })]} currentId={null} onPicked={() => {}} />
    </context.ChatProvider>,
  )
  expect(await screen.findByRole('link', { name: /^chat inside/ })).toBeDefined()
})

test('a chat is moved into and out of a project from its menu', async () => {
  const end = vi.fn<() => void>()
  const { store, user } = show(<ChatMenu row={row('new')} opener={document.body} onRename={() => {}} onClose={end} />)
  await user.click(screen.getByRole('menuitem', { name: /Move to project/ }))
  expect(screen.queryByRole('menuitem', { name: 'No project' })).toBeNull()
  await user.click(await screen.findByRole('menuitem', { name: 'Boat' }))
  await waitFor(() => expect(server.sorted).toEqual([{ ids: ['new'], change: { project: 'p' } }]))
  await waitFor(() => expect(viewOf(store.getState()).conversation?.project).toBe('p'))
  cleanup()
  const out = show(
    <ChatMenu row={row('new', { project: 'p' })} opener={document.body} onRename={() => {}} onClose={end} />,
  )
  await out.user.click(screen.getByRole('menuitem', { name: /Move to project/ }))
  await out.user.click(screen.getByRole('menuitem', { name: 'No project' }))
  await waitFor(() => expect(server.sorted.at(-1)).toEqual({ ids: ['new'], change: { project: null } }))
})

test('a project is created from a name, or from a file with its settings', async () => {
  const made = vi.fn<(id: string) => void>()
  const { user } = show(<NewProject onMade={made} onClose={() => {}} />)
  await user.click(screen.getByRole('button', { name: 'Create project' }))
  expect(screen.getByRole('alert').textContent).toBe('Give the project a name.')
  const picker = screen.getByLabelText('Import a project…', { selector: 'input' })
  await user.upload(picker, new File(['{}'], 'x.json', { type: 'application/json' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('This file contains no project.'))
  const file = { nod: 'project', version: 1, name: 'Zoo', instructions: 'Feed.', setup: null, memory: 'Hay.' }
  await user.upload(picker, new File([JSON.stringify(file)], 'zoo.json', { type: 'application/json' }))
  await waitFor(() => expect(made).toHaveBeenCalledOnce())
  expect(server.projects.at(-1)).toMatchObject({ name: 'Zoo', instructions: 'Feed.' })
})

test('a memory is edited, restored, and not overwritten if it changed elsewhere', async () => {
  const { user } = show(<MemoryEditor project={null} />)
  const text = await screen.findByRole('textbox', { name: 'Text of the memory' })
  const save = screen.getByRole('button', { name: 'Save memory' })
  expect(save).toHaveProperty('disabled', true)
  await user.type(text, 'I sail.')
  await user.click(save)
  await screen.findByText('Saved')
  expect(server.memory.text).toBe('I sail.')
  await user.type(text, ' Often.')
  server.memory = { ...server.memory, text: 'By a call.', version: 9 }
  await user.click(save)
  expect((await screen.findByRole('alert')).textContent).toContain('The memory was changed elsewhere.')
  expect(text).toHaveProperty('value', 'I sail. Often.')
  await user.click(screen.getByRole('button', { name: 'Load the current text' }))
  await waitFor(() => expect(text).toHaveProperty('value', 'By a call.'))
  await user.click(screen.getByText('Earlier versions (1)'))
  await user.click(screen.getByRole('button', { name: 'Restore' }))
  await waitFor(() => expect(server.memory).toMatchObject({ text: '', version: 10 }))
})
