import type { Result } from '@/lib/base/result'
import type { CallFailure } from './call-ports'

/** Waits between tries in milliseconds; the last one repeats. */
const BACKOFF_MS = [500, 1000, 2000, 4000, 8000, 15_000] as const

/**
 * Asks again while the failure is one that time can mend. `tries` bounds it (Infinity: as long as the page lives);
 * `onRetry` hears of each failure before the wait, so that the card can say so.
 */
export async function withRetry<T>(
  request: () => Promise<Result<T, CallFailure>>,
  options: {
    readonly tries: number
    readonly wait: (ms: number) => Promise<void>
    readonly onRetry?: (failure: CallFailure) => void
  },
): Promise<Result<T, CallFailure>> {
  for (let tried = 1; ; tried += 1) {
    const answer = await request()
    if (answer.ok || !answer.error.retryable || tried >= options.tries) return answer
    options.onRetry?.(answer.error)
    await options.wait(BACKOFF_MS[Math.min(tried, BACKOFF_MS.length) - 1] ?? 15_000)
  }
}
