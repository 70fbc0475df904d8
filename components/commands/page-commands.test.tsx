// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { PageCommands } from './page-commands'

const searched = vi.hoisted(() => ({ chats: vi.fn<() => unknown>(), search: vi.fn<() => unknown>() }))
const router = vi.hoisted(() => ({ push: vi.fn<(href: string) => void>() }))
vi.mock('@/lib/client/wiring/find-api.browser', () => ({ findApi: searched }))
vi.mock('next/navigation', () => ({ useRouter: () => router, usePathname: () => '/playground' }))

// Loads the lazy code here, so that the first test does not wait for it.
beforeAll(() => import('./page-layer'))
beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
beforeEach(() => {
  searched.chats.mockResolvedValue({ ok: true, value: { conversations: [], next: null } })
  searched.search.mockResolvedValue({ ok: true, value: { found: [], next: null } })
})
afterEach(() => {
  cleanup()
  vi.clearAllMocks()
  delete document.documentElement.dataset['account']
  delete document.documentElement.dataset['admin']
  history.replaceState(null, '', '/')
})

async function openPalette(chats = true) {
  render(<PageCommands chats={chats} />)
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true })
  return await screen.findByRole('combobox')
}

const type = (field: HTMLElement, words: string) => fireEvent.change(field, { target: { value: words } })
async function choose(field: HTMLElement, words: string): Promise<void> {
  type(field, words)
  await screen.findByRole('option', { selected: true })
  fireEvent.keyDown(field, { key: 'Enter' })
}

it('opens another page, and a section of the open page', async () => {
  const field = await openPalette()
  expect(screen.queryByRole('option', { name: 'Playground' })).toBeNull()
  await choose(field, 'presets')
  expect(router.push).toHaveBeenCalledExactlyOnceWith('/settings#presets')
  expect(screen.queryByRole('combobox')).toBeNull()
  cleanup()
  const again = await openPalette()
  await choose(again, 'playground prompt')
  expect(router.push).toHaveBeenCalledTimes(1)
  expect(location.hash).toBe('#prompt')
})

it('finds any chat and message that the server stores, and opens its address', async () => {
  const chat = { id: 'c 8', title: 'Quokka', updatedAt: 1, running: false, waitingCalls: 0 }
  searched.chats.mockResolvedValue({ ok: true, value: { conversations: [chat], next: null } })
  const field = await openPalette()
  type(field, 'quokka')
  fireEvent.click(await screen.findByRole('option', { name: 'Quokka' }))
  expect(router.push).toHaveBeenCalledExactlyOnceWith('/c/c%208')
})

it('requests and offers no chats before sign-in', async () => {
  document.documentElement.dataset['account'] = 'none'
  const field = await openPalette(false)
  expect(screen.queryByRole('option', { name: /^New chat/ })).toBeNull()
  type(field, 'dark')
  expect(await screen.findByRole('option', { name: 'Theme: dark' })).toBeTruthy()
  expect(searched.chats).not.toHaveBeenCalled()
})

it('lists the admin pages for administrators only', async () => {
  document.documentElement.dataset['account'] = 'in'
  const field = await openPalette()
  type(field, 'admin')
  expect(await screen.findByText('No results for “admin”.')).toBeTruthy()
  cleanup()
  document.documentElement.dataset['admin'] = ''
  const again = await openPalette()
  await choose(again, 'invitations')
  expect(router.push).toHaveBeenCalledExactlyOnceWith('/admin/invitations')
})

it('opens the shortcuts dialog with its key, and says which shortcuts work here', async () => {
  render(<PageCommands chats />)
  fireEvent.keyDown(window, { key: '?' })
  const here = await screen.findByRole('region', { name: 'On this page' })
  const names = within(here)
    .getAllByRole('term')
    .map((term) => term.textContent)
  expect(names).toEqual(['Command palette', 'Keyboard shortcuts', 'New chat', 'Close the top dialog or menu'])
  expect(within(screen.getByRole('region', { name: 'In a chat' })).getByText('Next waiting call')).toBeTruthy()
  await act(async () => {})
})
