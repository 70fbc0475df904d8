// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { guardKeyboard, type KeyboardGuard } from './keyboard-guard'

const thief = vi.fn<() => void>()
const ask = vi.fn<(number: number) => boolean>(() => true)
let keeper: KeyboardGuard
const find = (id: string) => document.querySelector<HTMLElement>(`#${id}`) ?? expect.fail(id)
const frame = () => find('frame') as HTMLIFrameElement
/** Like a page's script: the browser makes the frame the focused element. */
const steal = () => {
  frame().focus()
  window.dispatchEvent(new Event('blur'))
}
/** The frame's script answers the last question. */
const answer = () => keeper.answered(ask.mock.lastCall?.[0] ?? 0)
const focused = () => document.activeElement?.id

beforeEach(() => {
  vi.useFakeTimers()
  thief.mockClear()
  ask.mockClear()
  document.body.innerHTML =
    '<textarea id="message"></textarea><button id="send"></button><iframe id="frame" tabindex="0"></iframe>'
  keeper = guardKeyboard(frame(), { onThief: thief, ask })
  find('message').focus()
})
afterEach(() => {
  keeper.stop()
  vi.useRealTimers()
})

it('gives the focus back immediately, and reports a page that takes it twice', () => {
  steal()
  expect(focused()).toBe('message')
  answer()
  expect(thief).not.toHaveBeenCalled()
  steal()
  expect(focused()).toBe('message')
  expect(thief).not.toHaveBeenCalled()
  answer()
  expect(thief).toHaveBeenCalledOnce()
})

it('counts no theft before the frame has answered, however often the focus moves until then', () => {
  for (let round = 0; round < 5; round++) {
    steal()
    vi.advanceTimersByTime(1_000)
  }
  expect(focused()).toBe('message')
  expect(ask).toHaveBeenCalledOnce()
  keeper.answered(0)
  answer()
  answer()
  expect(thief).not.toHaveBeenCalled()
})

it('accepts a press that is reported late, but before the answer, as the reason for the focus', () => {
  steal()
  vi.advanceTimersByTime(5_000)
  steal()
  keeper.pressed(true)
  expect(focused()).toBe('frame')
  answer()
  find('message').focus()
  steal()
  answer()
  expect(thief).not.toHaveBeenCalled()
})

it('does not move the focus for a late press after another press elsewhere', () => {
  steal()
  vi.advanceTimersByTime(100)
  find('message').dispatchEvent(new Event('pointerdown', { bubbles: true }))
  find('message').focus()
  keeper.pressed(true)
  expect(focused()).toBe('message')
})

it('counts nothing while no page can answer', () => {
  ask.mockReturnValueOnce(false)
  steal()
  steal()
  answer()
  expect(thief).not.toHaveBeenCalled()
  steal()
  answer()
  expect(thief).toHaveBeenCalledOnce()
})

it('leaves the focus to a page that was pressed, until an element outside gets it', () => {
  keeper.pressed(true)
  steal()
  expect(focused()).toBe('frame')
  find('message').focus()
  steal()
  expect(focused()).toBe('message')
})

it('gives the focus to a page whose press is reported after the focus', () => {
  steal()
  keeper.pressed(true)
  expect(focused()).toBe('frame')
  find('message').focus()
  steal()
  expect(thief).not.toHaveBeenCalled()
})

it('ignores the browser’s recent-press flag soon after a press outside the frame', () => {
  find('message').dispatchEvent(new Event('pointerdown', { bubbles: true }))
  keeper.pressed(false)
  steal()
  expect(focused()).toBe('message')
  vi.advanceTimersByTime(6_001)
  keeper.pressed(false)
  steal()
  expect(focused()).toBe('frame')
})

it('notices a focus change that the browser did not report within a moment', () => {
  frame().dispatchEvent = () => true
  const silent = vi.spyOn(document, 'activeElement', 'get').mockReturnValue(frame())
  vi.advanceTimersByTime(250)
  answer()
  vi.advanceTimersByTime(250)
  answer()
  silent.mockRestore()
  expect(thief).toHaveBeenCalled()
})

it('lends the focus when the app asks the user to point at something', () => {
  keeper.lend()
  window.dispatchEvent(new Event('blur'))
  expect(focused()).toBe('frame')
})

it('lets the page take the focus any number of times while it is lent, until a press outside', () => {
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
