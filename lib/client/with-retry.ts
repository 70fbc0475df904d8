import { mayAskAgain, type ApiAnswer, type ApiFailure } from './api-failure'

/** Waits between tries in milliseconds; the last one repeats. */
const BACKOFF_MS = [500, 1000, 2000, 4000, 8000, 15_000] as const

export interface RetryOptions {
  /** In all; Infinity: as long as the page lives. */
  readonly tries: number
  readonly wait: (ms: number) => Promise<void>
  /** Left out: every failure that time can mend. */
  readonly again?: (failure: ApiFailure) => boolean
  /** Hears of each failure before the wait, so that it can be shown. */
  readonly onRetry?: (failure: ApiFailure) => void
}

/** No answer at all: where a person waits, all else is told at once. */
export const unanswered = ({ code }: ApiFailure): boolean => code === 'unreachable'

/** Asks again while the failure is one that time can mend; the request must be one that may come twice. */
export async function withRetry<T>(
  request: () => Promise<ApiAnswer<T>>,
  { tries, wait, again = mayAskAgain, onRetry }: RetryOptions,
): Promise<ApiAnswer<T>> {
  for (let tried = 1; ; tried += 1) {
    const answer = await request()
    if (answer.ok || !again(answer.error) || tried >= tries) return answer
    onRetry?.(answer.error)
    await wait(BACKOFF_MS[Math.min(tried, BACKOFF_MS.length) - 1] ?? 15_000)
  }
}
