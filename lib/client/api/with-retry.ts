import { mayAskAgain, type ApiAnswer, type ApiFailure } from './api-failure'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

export interface RetryOptions {
  /** In all; Infinity: as long as the page lives. */
  readonly tries: number
  readonly wait: (ms: number) => Promise<void>
  /** The wait after the first try; each one after that is twice as long, up to a limit. */
  readonly firstWaitMs?: number
  /** Left out: every failure that time can mend. */
  readonly again?: (failure: ApiFailure) => boolean
  /** Hears of each failure before the wait, so that it can be shown. */
  readonly onRetry?: (failure: ApiFailure) => void
}

export const unanswered = ({ code }: ApiFailure): boolean => code === 'unreachable'

/** Where a person waits for it: only what got no answer at all is asked again, and soon. */
export const soon = { again: unanswered, firstWaitMs: 400 } as const

/** Asks again while the failure is one that time can mend; the request must be one that may come twice. */
export async function withRetry<T>(
  request: () => Promise<ApiAnswer<T>>,
  { tries, wait, firstWaitMs = FIRST_WAIT_MS, again = mayAskAgain, onRetry }: RetryOptions,
): Promise<ApiAnswer<T>> {
  for (let tried = 1; ; tried += 1) {
    const answer = await request()
    if (answer.ok || !again(answer.error) || tried >= tries) return answer
    onRetry?.(answer.error)
    const ownMs = Math.min(firstWaitMs * 2 ** (tried - 1), LONGEST_WAIT_MS)
    await wait(Math.max(ownMs, answer.error.retryAfterMs ?? 0))
  }
}
