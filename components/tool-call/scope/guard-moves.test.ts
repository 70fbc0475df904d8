// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { STILL_MS, useGuardedMoves } from './guard-moves'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'requestAnimationFrame'] })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  document.body.innerHTML = ''
})

/** jsdom has no layout: the button is where the test puts it. */
function page(part = 'data-part="foot"') {
  document.body.innerHTML = `<div ${part}><button>Run</button></div>`
  const row = document.body.firstElementChild as HTMLElement
  const button = row.querySelector('button') as HTMLElement
  let top = 100
  button.getBoundingClientRect = () => new DOMRect(20, top, 80, 30)
  renderHook(() => useGuardedMoves())
  const frame = async () => {
    // Mutation observers run in a microtask; the position is measured in the next frame.
    await vi.advanceTimersByTimeAsync(40)
  }
  return {
    takesPress: () => row.style.pointerEvents !== 'none',
    pointAt: (y: number) =>
      document.dispatchEvent(new MouseEvent('pointermove', { bubbles: true, clientX: 40, clientY: y })),
    /** Moves it without a mutation or an event. */
    place: (y: number) => void (top = y),
    async moveTo(y: number, by: () => void = () => row.setAttribute('class', `${y}`)) {
      top = y
      by()
      await frame()
    },
    rest: () => vi.advanceTimersByTimeAsync(1_000),
  }
}

it.each(['data-part="foot"', 'data-batch=""', 'data-decides=""'])(
  'lets no press through for half a second after buttons in [%s] moved under the pointer',
  async (part) => {
    const { takesPress, pointAt, moveTo, rest } = page(part)
    pointAt(190)
    await rest()
    await moveTo(180)
    expect(takesPress()).toBe(false)
    await vi.advanceTimersByTimeAsync(STILL_MS - 100)
    expect(takesPress()).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(takesPress()).toBe(true)
  },
)

it('does so while the pointer is on its way', async () => {
  const { takesPress, pointAt, moveTo } = page()
  pointAt(600)
  await moveTo(130)
  expect(takesPress()).toBe(false)
})

it('does so for a button that came under the resting pointer', async () => {
  const { takesPress, pointAt, rest } = page()
  pointAt(315)
  await rest()
  const added = document.createElement('button')
  added.getBoundingClientRect = () => new DOMRect(20, 300, 80, 30)
  document.querySelector('[data-part]')?.append(added)
  await vi.advanceTimersByTimeAsync(40)
  expect(takesPress()).toBe(false)
})

it('lets a press end that began before the move, and none after it', async () => {
  const { takesPress, pointAt, moveTo } = page()
  const button = document.querySelector('button')
  pointAt(110)
  await vi.advanceTimersByTimeAsync(40)
  button?.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, clientX: 40, clientY: 110 }))
  await moveTo(130)
  expect(takesPress()).toBe(true)
  button?.dispatchEvent(new MouseEvent('pointerup', { bubbles: true, clientX: 40, clientY: 110 }))
  expect(takesPress()).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(takesPress()).toBe(false)
  await vi.advanceTimersByTimeAsync(STILL_MS)
  expect(takesPress()).toBe(true)
})

it('lets no press begin on a button that moved and was not measured since', async () => {
  const { takesPress, pointAt, place } = page()
  pointAt(130)
  await vi.advanceTimersByTimeAsync(1_000)
  place(130)
  document
    .querySelector('button')
    ?.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, clientX: 40, clientY: 130 }))
  expect(takesPress()).toBe(false)
})

it('blocks a moved button when the pointer comes back to it, before a press can begin', async () => {
  const { takesPress, pointAt, place } = page()
  pointAt(130)
  await vi.advanceTimersByTimeAsync(1_000)
  place(130)
  document
    .querySelector('button')
    ?.dispatchEvent(new MouseEvent('pointermove', { bubbles: true, clientX: 40, clientY: 135 }))
  expect(takesPress()).toBe(false)
})

it('blocks no button that moved before the pointer came from elsewhere', async () => {
  const { takesPress, pointAt, place } = page()
  pointAt(700)
  await vi.advanceTimersByTimeAsync(1_000)
  place(130)
  const button = document.querySelector('button')
  for (const kind of ['pointermove', 'pointerdown'])
    button?.dispatchEvent(new MouseEvent(kind, { bubbles: true, clientX: 40, clientY: 135 }))
  expect(takesPress()).toBe(true)
})

it.each([
  ['a small move', 106, 110],
  ['a pointer that rests far away', 200, 700],
])('lets a press through after %s', async (_, to, at) => {
  const { takesPress, pointAt, moveTo, rest } = page()
  pointAt(at)
  await rest()
  await moveTo(to)
  expect(takesPress()).toBe(true)
})

it('lets a press through after the user’s own scroll', async () => {
  const { takesPress, pointAt, moveTo, rest } = page()
  pointAt(110)
  await rest()
  document.dispatchEvent(new Event('wheel', { bubbles: true }))
  await moveTo(60, () => document.dispatchEvent(new Event('scroll')))
  expect(takesPress()).toBe(true)
})

it('guards after a picture or a font came', async () => {
  const { takesPress, pointAt, moveTo, rest } = page()
  pointAt(150)
  await rest()
  await moveTo(140, () => document.body.dispatchEvent(new Event('load')))
  expect(takesPress()).toBe(false)
})
