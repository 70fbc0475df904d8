// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { restoreScroll, reportScroll } from './follow-links'

const moves: unknown[] = []
beforeEach(() => {
  vi.useFakeTimers()
  moves.length = 0
  vi.stubGlobal('scrollTo', (to: unknown) => void moves.push(to))
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => setTimeout(task))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  location.hash = ''
})

const scrollBy = (x: number, y: number) => {
  vi.stubGlobal('scrollX', x)
  vi.stubGlobal('scrollY', y)
  dispatchEvent(new Event('scroll'))
}

describe('the scroll position of a page', () => {
  it('is reported now and then, with its current value', () => {
    const said: object[] = []
    reportScroll((message) => void said.push(message))
    for (let y = 1; y <= 100; y += 1) scrollBy(0, y)
    expect(said).toEqual([])
    vi.runAllTimers()
    expect(said).toEqual([{ type: 'scroll', x: 0, y: 100 }])
    scrollBy(7, 200)
    vi.runAllTimers()
    vi.runAllTimers()
    expect(said.slice(1)).toEqual([{ type: 'scroll', x: 7, y: 200 }])
  })
})

describe('the scroll position of a reloaded page', () => {
  const loaded = () => {
    dispatchEvent(new Event('load'))
    vi.runAllTimers()
  }

  it('is restored, at once and when all of it is loaded, and then left to the reader', () => {
    restoreScroll({ x: 3, y: 900 }, '#end')
    const there = { left: 3, top: 900, behavior: 'instant' }
    expect(moves).toEqual([there])
    loaded()
    expect(moves).toEqual([there, there])
    loaded()
    expect(moves).toHaveLength(2)
    expect(location.hash).toBe('')
  })

  it('is what its address names if there is no earlier one; else the top', () => {
    restoreScroll(null, '')
    loaded()
    expect([moves, location.hash]).toEqual([[], ''])
    restoreScroll(null, '#end')
    expect(location.hash).toBe('#end')
    loaded()
    expect(moves).toEqual([])
  })
})
