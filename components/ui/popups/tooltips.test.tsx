// @vitest-environment jsdom
import { cleanup, act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import Tooltips from './tooltips'

afterEach(cleanup)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp() {
  render(
    <>
      <button type="button" data-tip="The whole path">
        short
      </button>
      <button type="button" data-tip="all of it">
        all of it
      </button>
      <button type="button" aria-label="Its name" data-tip="Its name">
        x
      </button>
      <Tooltips />
    </>,
  )
  return (name: string) => screen.getByRole('button', { name })
}
const rest = (element: Element, pointerType = 'mouse') => {
  fireEvent.pointerOver(element, { pointerType })
  act(() => void vi.runAllTimers())
}
const tip = () => screen.queryByRole('tooltip')?.textContent ?? null

test('shows on hover, and to assistive technology, until the pointer leaves', () => {
  const button = setUp()
  rest(button('short'))
  expect(tip()).toBe('The whole path')
  expect(button('short').getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip').id)
  rest(screen.getByRole('tooltip'))
  expect(tip()).toBe('The whole path')
  rest(document.body)
  expect(tip()).toBeNull()
  expect(button('short').hasAttribute('aria-describedby')).toBe(false)
})

test('shows nothing that is already visible, and repeats no accessible name', () => {
  const button = setUp()
  rest(button('all of it'))
  expect(tip()).toBeNull()
  rest(button('Its name'))
  expect(tip()).toBe('Its name')
  expect(button('Its name').hasAttribute('aria-describedby')).toBe(false)
})

test('Esc and a press close it; touch has none', () => {
  const button = setUp()
  rest(button('short'))
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(tip()).toBeNull()
  rest(button('short'))
  fireEvent.pointerDown(button('short'))
  expect(tip()).toBeNull()
  rest(button('short'), 'touch')
  expect(tip()).toBeNull()
})
