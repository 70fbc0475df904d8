import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadline } from './deadline'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp(limitMs = 1_000, maxPauseMs = 5_000) {
  const startedAt = Date.now()
  let endedAt: number | null = null
  const onEnd = () => (endedAt = Date.now() - startedAt)
  return {
    deadline: createDeadline({ limitMs, maxPauseMs, monotonic: () => Date.now(), onEnd }),
    endedAt: () => endedAt,
  }
}

test('ends when the time is used up', () => {
  const { endedAt } = setUp()
  vi.advanceTimersByTime(10_000)
  expect(endedAt()).toBe(1_000)
})

test('does not count the time while it is held, and the hold uses up no pause', () => {
  const { deadline, endedAt } = setUp(1_000, 500)
  vi.advanceTimersByTime(400)
  deadline.pause()
  deadline.hold(true)
  vi.advanceTimersByTime(8 * 60 * 60_000)
  expect(endedAt()).toBe(null)
  deadline.hold(false)
  vi.advanceTimersByTime(500)
  deadline.resume()
  vi.advanceTimersByTime(10_000)
  expect(endedAt()).toBe(8 * 60 * 60_000 + 400 + 500 + 600)
})

test('does not count pauses, also when they overlap', () => {
  const { deadline, endedAt } = setUp()
  vi.advanceTimersByTime(400)
  deadline.pause()
  vi.advanceTimersByTime(1_000)
  deadline.pause()
  vi.advanceTimersByTime(1_000)
  deadline.resume()
  vi.advanceTimersByTime(1_000)
  expect(endedAt()).toBe(null)
  deadline.resume()
  vi.advanceTimersByTime(10_000)
  expect(endedAt()).toBe(4_000)
})

test('continues by itself when the maximum pause is used up', () => {
  const { deadline, endedAt } = setUp(1_000, 5_000)
  deadline.pause()
  vi.advanceTimersByTime(20_000)
  expect(endedAt()).toBe(6_000)
})

test('never fires after it was cleared', () => {
  const { deadline, endedAt } = setUp()
  deadline.clear()
  deadline.pause()
  deadline.resume()
  vi.advanceTimersByTime(10_000)
  expect(endedAt()).toBe(null)
})
