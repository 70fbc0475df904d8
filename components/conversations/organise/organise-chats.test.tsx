// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { ok } from '@/lib/base/result'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createDeletions } from '@/lib/client/api/deletions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationRow } from '@/lib/client/chats/testing/rows'
import OrganiseChats from './organise-chats'

const searched = vi.hoisted(() => ({
  chats: vi.fn<(...asked: unknown[]) => unknown>(),
  tags: () => Promise.resolve({ ok: false }),
}))
const deletions = vi.hoisted(() => ({ made: null as unknown }))
const sorted = vi.hoisted(() => vi.fn<(ids: readonly string[], what: object) => unknown>())
vi.mock('@/lib/client/wiring/nod-api.browser', () => ({ nodApi: { sortChats: sorted } }))
vi.mock('@/components/projects/use-projects', () => ({
  useProjects: () => ({ projects: [{ id: 'p-boat', name: 'Boat' }] }),
}))
vi.mock('@/lib/client/wiring/projects.browser', () => ({ localProjects: () => ({ load: () => Promise.resolve() }) }))
vi.mock('@/lib/client/wiring/find-api.browser', () => ({ findApi: searched }))
vi.mock('@/lib/client/wiring/deletions.browser', () => ({ deletionsOf: () => deletions.made }))

beforeAll(() => {
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, get: () => 560 })
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => 560 })
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(cleanup)

const page = 100
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    id: `c${from + at}`,
    title: `Chat ${from + at}`,
    updatedAt: 1_000 - from - at,
    running: false,
    waitingCalls: 0,
  }))

/** Sets up `count` chats, served page by page. */
function setUp(count: number, chats?: () => unknown) {
  searched.chats.mockImplementation((_query, _shelf, after) => {
    if (chats) return chats()
    const from = after === null ? 0 : Number(after)
    const to = Math.min(count, from + page)
    return Promise.resolve(ok({ conversations: rows(from, to), next: to < count ? `${to}` : null }))
  })
  const restore = vi.fn<(ids: readonly string[]) => void>()
  const made = createDeletions({
    storage: null,
    now: () => 1,
    schedule: () => () => {},
    restore: ({ ids }) => (restore(ids), Promise.resolve(ok(ids))),
    restored: () => {},
    forget: () => {},
    gone: () => '',
  })
  deletions.made = made
  const store = createClientStore()
  store.dispatch({ type: 'view-new', conversation: conversationRow() })
  const remove = vi.fn<ChatActions['remove']>((ids) => Promise.resolve(made.add(ids)))
  const chat = { remove, open: () => {}, listChanged: () => {} } as Partial<ChatActions> as ChatActions
  render(
    <ChatProvider value={{ store, chat, calls: {} as Partial<CallActions> as CallActions }}>
      <OrganiseChats onClose={() => {}} onPicked={() => {}} />
    </ChatProvider>,
  )
  return { store, remove, restore, user: userEvent.setup(), dialog: within(screen.getByRole('dialog')) }
}

it('selects many chats, deletes them and undoes it, all in the dialog', async () => {
  const { user, dialog, remove, restore } = setUp(1_234)
  await user.click(await dialog.findByRole('button', { name: 'Select all, including those not loaded yet' }))
  expect(await dialog.findByText('1,234 chats selected')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(remove.mock.lastCall?.[0]).toHaveLength(1_234)
  expect(await dialog.findByText('1,234 chats deleted.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(restore.mock.lastCall?.[0]).toHaveLength(1_234))
  await waitFor(() => expect(dialog.queryByText('1,234 chats deleted.')).toBeNull())
})

it('moves many chats into a project at once, and back to where each was', async () => {
  sorted.mockImplementation((ids) => Promise.resolve(ok(ids)))
  const listed = rows(0, 4).map((row) => (row.id === 'c1' ? { ...row, project: 'p-old' } : row))
  const { user, dialog } = setUp(4, () => Promise.resolve(ok({ conversations: listed, next: null })))
  await user.click(await dialog.findByRole('button', { name: 'Select all 4' }))
  await user.click(dialog.getByRole('button', { name: 'Move to project' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Boat' }))
  expect(await dialog.findByText(/4 chats moved to/)).toBeTruthy()
  expect(sorted.mock.calls.flatMap(([ids]) => ids).toSorted()).toEqual(['c0', 'c1', 'c2', 'c3'])
  expect(sorted.mock.lastCall?.[1]).toEqual({ project: 'p-boat' })
  sorted.mockClear()
  await user.click(dialog.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sorted).toHaveBeenCalledTimes(2))
  expect(sorted.mock.calls).toEqual([
    [['c0', 'c2', 'c3'], { project: null }],
    [['c1'], { project: 'p-old' }],
  ])
  expect(dialog.queryByText(/moved to/)).toBeNull()
  // Again, before the list was loaded again.
  await user.click(dialog.getByRole('button', { name: 'Select all 4' }))
  await user.click(dialog.getByRole('button', { name: 'Move to project' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Boat' }))
  expect(await dialog.findByText(/4 chats moved to/)).toBeTruthy()
})

it('shows in the dialog errors that happened after it opened', async () => {
  const { store, dialog } = setUp(3)
  expect(await dialog.findByRole('button', { name: 'Select all 3' })).toBeTruthy()
  expect(dialog.queryByRole('alert')).toBeNull()
  const { shownId } = store.getState()
  const problem = { message: 'The server cannot be reached. The chat was not deleted.', canRetry: false }
  act(() => store.dispatch({ type: 'problem-raised', conversationId: shownId, problem }))
  expect((await dialog.findByRole('alert')).textContent).toBe(problem.message)
})
