// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRouter } from 'next/navigation'
import { afterEach, expect, test, vi } from 'vitest'
import { PageLink } from './page-head'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function setUp() {
  const push = vi.spyOn(useRouter(), 'push').mockReturnValue(undefined)
  render(
    <PageLink href="/playground" className="look">
      Playground
    </PageLink>,
  )
  return { push, link: screen.getByRole('link', { name: 'Playground' }) }
}

test('a click opens the page without a reload', () => {
  const { push, link } = setUp()
  expect(fireEvent.click(link)).toBe(false)
  expect(push).toHaveBeenCalledExactlyOnceWith('/playground')
  expect(link).toHaveProperty('className', 'look')
})

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'a click for another window is left to the browser: %o',
  (how) => {
    const { push, link } = setUp()
    let wasLeft = false
    const leave = (event: Event) => {
      wasLeft = !event.defaultPrevented
      // jsdom follows no link.
      event.preventDefault()
    }
    window.addEventListener('click', leave, { once: true })
    fireEvent.click(link, how)
    expect(wasLeft).toBe(true)
    expect(push).not.toHaveBeenCalled()
    expect(link.getAttribute('href')).toBe('/playground')
  },
)
