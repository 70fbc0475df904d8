// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { guardKeyboard, type KeyboardGuard } from './use-page-frame'

const thief = vi.fn<() => void>()
let keeper: KeyboardGuard
const find = (id: string) => document.querySelector<HTMLElement>(`#${id}`) ?? expect.fail(id)
const frame = () => find('frame') as HTMLIFrameElement
/** As a page does it by script: the browser makes the frame the focused element. */
const steal = () => {
  frame().focus()
  window.dispatchEvent(new Event('blur'))
}
const focused = () => document.activeElement?.id

beforeEach(() => {
  vi.useFakeTimers()
  thief.mockClear()
  document.body.innerHTML =
    '<textarea id="message"></textarea><button id="send"></button><iframe id="frame" tabindex="0"></iframe>'
  keeper = guardKeyboard(frame(), thief)
  find('message').focus()
})
afterEach(() => {
  keeper.stop()
  vi.useRealTimers()
})

it('gives the focus back to what had it, and tells of a page that takes it a second time', () => {
  steal()
  expect(focused()).toBe('message')
  expect(thief).not.toHaveBeenCalled()
  steal()
  expect(focused()).toBe('message')
  expect(thief).toHaveBeenCalledOnce()
})

it('leaves it to a page that was pressed, until something beside it has it', () => {
  keeper.pressed(true)
  steal()
  expect(focused()).toBe('frame')
  find('message').focus()
  steal()
  expect(focused()).toBe('message')
})

it('gives it to a page whose press is told of after the focus', () => {
  steal()
  keeper.pressed(true)
  expect(focused()).toBe('frame')
  find('message').focus()
  steal()
  expect(thief).not.toHaveBeenCalled()
})

it('a press that the browser only counts is no reason soon after one beside the frame', () => {
  find('message').dispatchEvent(new Event('pointerdown', { bubbles: true }))
  keeper.pressed(false)
  steal()
  expect(focused()).toBe('message')
  vi.advanceTimersByTime(6_001)
  keeper.pressed(false)
  steal()
  expect(focused()).toBe('frame')
})

it('finds out within a moment where the browser told of nothing', () => {
  frame().dispatchEvent = () => true
  const silent = vi.spyOn(document, 'activeElement', 'get').mockReturnValue(frame())
  vi.advanceTimersByTime(500)
  silent.mockRestore()
  expect(thief).toHaveBeenCalled()
})

it('lends it when the app asks the person to point at something', () => {
  keeper.lend()
  window.dispatchEvent(new Event('blur'))
  expect(focused()).toBe('frame')
})

it('lets the page take it as often as it likes while it is lent, until something beside it is pressed', () => {
  keeper.lend()
  for (let round = 0; round < 3; round++) {
    document.getElementById('message')?.focus()
    vi.advanceTimersByTime(300)
    frame().focus()
    window.dispatchEvent(new Event('blur'))
    expect(focused()).toBe('frame')
  }
  expect(thief).not.toHaveBeenCalled()
  document.getElementById('message')?.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  document.getElementById('message')?.focus()
  steal()
  expect(focused()).toBe('message')
})
