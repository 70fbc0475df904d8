import type { EpochMs, MonotonicMs } from '@/lib/base/clocks'

/** Time as a port, so that tests need not wait. */
export interface Clock {
  /** The time to store and to show. It may jump. */
  now(): EpochMs
  /** The time to measure spans with. It never goes back, and does not change when somebody sets the clock. */
  monotonic(): MonotonicMs
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function waitFor(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done)
    signal?.addEventListener('abort', done, { once: true })
  })
}
