// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

afterEach(cleanup)
beforeEach(() => {
  Element.prototype.scrollIntoView = () => {}
  localStorage.clear()
  vi.resetModules()
})

/** A page is loaded: what it remembers beside storage is gone. */
async function page(ids: readonly string[], waits = true) {
  const { FirstCard } = await import('./first-card')
  return render(
    ids.map((id) => (
      <FirstCard key={id} id={id} raw={`<call>${id}</call>`} strategy="XML_Tag" waits={waits}>
        <p>The card {id}</p>
      </FirstCard>
    )),
  )
}
const links = () => screen.queryAllByRole('button', { name: 'See the model’s text' })

it('stands on the first card that this browser ever shows, and on no other', async () => {
  await page(['a', 'b'])
  expect(links()).toHaveLength(1)
  cleanup()
  vi.resetModules()
  await page(['a', 'b'])
  expect(links()).toHaveLength(0)
})

it('shows what the model wrote beside the card, which stays the same one, and goes for good', async () => {
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

it('is for cards that wait, and for browsers that can remember it', async () => {
  await page(['old'], false)
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
