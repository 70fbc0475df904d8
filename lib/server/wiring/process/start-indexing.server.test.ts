import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startIndexing } from './clean-up-data.server'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('indexing after the writes', () => {
  it('continues in small steps until nothing is due, and checks again later', async () => {
    const left = [20, 20, 3, 0, 0]
    const indexWords = vi.fn<(atMost: number) => Promise<number>>(() => Promise.resolve(left.shift() ?? 0))
    const stop = startIndexing({ indexWords }, vi.fn<() => void>())
    await vi.advanceTimersByTimeAsync(2_500)
    expect(indexWords).toHaveBeenCalledTimes(4)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(indexWords).toHaveBeenCalledTimes(5)
    stop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(indexWords).toHaveBeenCalledTimes(5)
  })

  it('reports that the store is unavailable, and retries', async () => {
    const indexWords = vi.fn<() => Promise<number>>(() => Promise.reject(new Error('away')))
    const log = vi.fn<(message: string, error: unknown) => void>()
    const stop = startIndexing({ indexWords }, log)
    await vi.advanceTimersByTimeAsync(4_500)
    expect(log).toHaveBeenCalledTimes(2)
    stop()
  })
})
