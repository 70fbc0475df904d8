import type { EpochMs, MonotonicMs } from '@/lib/base/clocks'
import { asStoreError } from '@/lib/server/store/ports/store-error'

/** Time as a port, so that tests need not wait. */
export interface Clock {
  /** The wall-clock time, to store and to show. It may jump. */
  now(): EpochMs
  /** The monotonic time, to measure durations. It never goes back, and does not change with the wall clock. */
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

const FIRST_WAIT_MS = 200
/** About thirteen seconds in total: as long as a database restart takes. */
const LAST_WAIT_MS = 6_400

/**
 * Calls an unavailable store again, for as long as a restart takes. Rejects with the store's last error, with any other
 * error at once, or with the signal's reason.
 */
export async function askAgain<T>(clock: Clock, ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    try {
      return await ask()
    } catch (error) {
      const isAway = error instanceof Error && asStoreError(error) !== null
      if (!isAway || waitMs > LAST_WAIT_MS) throw error
    }
    await waitFor(clock, waitMs, signal)
    signal.throwIfAborted()
  }
}
