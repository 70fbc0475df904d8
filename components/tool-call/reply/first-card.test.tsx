// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import type { ModelInfo } from '@/lib/shared/models/model'

afterEach(cleanup)
beforeEach(() => {
  Element.prototype.scrollIntoView = () => {}
  localStorage.clear()
  vi.resetModules()
})

/** Simulates a page load: in-memory state is reset. */
async function page(ids: readonly string[], { waits = true, hasModel = true, asks = false } = {}) {
  const { FirstCard } = await import('./first-card')
  const { ChatProvider } = await import('@/components/context/chat-context')
  const { createClientStore } = await import('@/lib/client/state/store')
  const store = createClientStore()
  const demo = { id: 'demo/demo', label: 'Demo', simulated: true } as Partial<ModelInfo> as ModelInfo
  const models = { models: [demo], problems: [] } as Partial<ModelsResponse> as ModelsResponse
  if (!hasModel) store.dispatch({ type: 'models-loaded', models })
  const value = { store, chat: {} as ChatActions, calls: {} as CallActions }
  return render(
    <ChatProvider value={value}>
      {ids.map((id) => (
        <FirstCard key={id} id={id} raw={`<call>${id}</call>`} strategy="XML_Tag" waits={waits} asks={asks}>
          <p>The card {id}</p>
        </FirstCard>
      ))}
    </ChatProvider>,
  )
}
const links = () => screen.queryAllByRole('button', { name: 'See the model’s text' })

it('is on the first card that this browser ever shows, and on no other', async () => {
  await page(['a', 'b'])
  expect(links()).toHaveLength(1)
  cleanup()
  vi.resetModules()
  await page(['a', 'b'])
  expect(links()).toHaveLength(0)
})

it('shows the model’s text beside the unchanged card, and goes away permanently', async () => {
  const user = userEvent.setup()
  await page(['a'])
  const card = screen.getByText('The card a')
  await user.click(links()[0] as HTMLElement)
  expect(screen.getByRole('group', { name: 'The model’s text' }).textContent).toBe('<call>a</call>')
  expect(screen.getByText('The card a')).toBe(card)
  await user.click(screen.getByRole('button', { name: 'Got it' }))
  expect(screen.queryByRole('group', { name: 'The model’s text' })).toBeNull()
  expect(links()).toHaveLength(0)
  expect(screen.getByText('The card a')).toBe(card)
})

it('is for waiting cards, and for browsers with storage', async () => {
  await page(['old'], { waits: false })
  expect(links()).toHaveLength(0)
  cleanup()
  vi.resetModules()
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full')
  })
  await page(['a'])
  expect(links()).toHaveLength(0)
  vi.restoreAllMocks()
})

it('is a tour of three steps around the same card if only the demo is available', async () => {
  const user = userEvent.setup()
  await page(['a', 'b'], { hasModel: false })
  const card = screen.getByText('The card a')
  const tour = await screen.findByRole('group', { name: 'Tour of a card' })
  expect(links()).toHaveLength(0)
  for (const words of [/asks for this call/, /before it does anything/]) {
    expect(tour.textContent).toMatch(words)
    await user.click(screen.getByRole('button', { name: 'Next' }))
  }
  expect(tour.textContent).toContain('You decide here')
  await user.click(screen.getByRole('button', { name: 'Got it' }))
  expect(screen.queryByRole('group', { name: 'Tour of a card' })).toBeNull()
  expect(screen.getByText('The card a')).toBe(card)
})

it('says nothing about what would happen on a card that asks a question', async () => {
  await page(['a'], { hasModel: false })
  const tour = await screen.findByRole('group', { name: 'Tour of a card' })
  expect(tour.textContent).toContain('1 of 3')
  cleanup()
  vi.resetModules()
  localStorage.clear()
  await page(['a'], { hasModel: false, asks: true })
  expect((await screen.findByRole('group', { name: 'Tour of a card' })).textContent).toContain('1 of 2')
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(screen.getByRole('status').textContent).toContain('You decide here')
})
