import type { ApiError } from '@/lib/shared/conversation/wire/api-types'
import type { AppErrorCode, Refusal } from '@/lib/base/app-error'
import { withBase } from '@/lib/base/base-path'
import { err, ok } from '@/lib/base/result'
import { pageTextOfRefusal } from '@/lib/i18n/stored-text'
import { makeRefusal } from '@/lib/i18n/t'
import { quotedValues } from '@/lib/i18n/quoted-refusal'
import { brokeOff, failed, mayRetry, unreachable, type ApiAnswer, type ApiFailure } from './api-failure'

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly keepalive?: boolean
  /** Requests that name this queue in `after` wait until this request has its response. */
  readonly queue?: string
  /** Waits for the pending requests of this queue, for at most five seconds. */
  readonly after?: string
}

const queueTimeoutMs = 5_000

export interface ApiClientOptions {
  /** Without it, no request waits for a queue. */
  readonly wait?: (ms: number) => Promise<void>
}

/**
 * The fetch wrapper for our own server. Paths are given without the base path. No method rejects: a failure is returned
 * as data, with a message in the page's language.
 */
export function createApiClient(fetchFrom: typeof fetch, { wait = () => Promise.resolve() }: ApiClientOptions = {}) {
  const queues = new Map<string, Set<Promise<unknown>>>()

  function enqueue<T>(name: string, answer: Promise<T>): Promise<T> {
    const queue = queues.get(name) ?? new Set()
    queues.set(name, queue)
    queue.add(answer)
    const leave = () => {
      queue.delete(answer)
      if (queue.size === 0 && queues.get(name) === queue) queues.delete(name)
    }
    answer.then(leave, leave)
    return answer
  }

  async function request(method: string, path: string, options: RequestOptions = {}): Promise<ApiAnswer<Response>> {
    const { queue, after } = options
    const ahead = after === undefined ? undefined : queues.get(after)
    if (ahead) await Promise.race([Promise.allSettled(ahead), wait(queueTimeoutMs)])
    const answer = send(method, path, options)
    return queue === undefined ? answer : enqueue(queue, answer)
  }

  async function send(
    method: string,
    path: string,
    { body, signal, keepalive = false }: RequestOptions,
  ): Promise<ApiAnswer<Response>> {
    try {
      const response = await fetchFrom(withBase(path), {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        // No cache mode: every response says `no-store` itself, and a mode of our own would miss what the page
        // preloaded.
        ...(signal ? { signal } : {}),
        ...(keepalive ? { keepalive } : {}),
      })
      return response.ok ? ok(response) : await refusalIn(response)
    } catch {
      return signal?.aborted ? stopped() : unreachable()
    }
  }
  /** Returns the JSON of the response. */
  async function ask<T>(method: string, path: string, more: RequestOptions = {}): Promise<ApiAnswer<T>> {
    const response = await request(method, path, more)
    if (!response.ok) return response
    try {
      // No content: there is nothing to read.
      if (response.value.status === 204) return ok({} as T)
      return ok((await response.value.json()) as T)
    } catch {
      return more.signal?.aborted ? stopped() : brokeOff(response.value.status)
    }
  }
  /** Returns one field of the JSON of the response. */
  async function askFor<T>(name: string, ...[method, path, more]: Parameters<typeof ask>): Promise<ApiAnswer<T>> {
    const answer = await ask<Readonly<Record<string, T>>>(method, path, more)
    return answer.ok ? ok(answer.value[name] as T) : answer
  }
  /** For responses without content. */
  async function tell(...[method, path, more]: Parameters<typeof ask>): Promise<ApiAnswer<null>> {
    const answer = await request(method, path, more)
    return answer.ok ? ok(null) : answer
  }

  return { request, ask, askFor, tell }
}

/** The longest wait. Timers can't hold much more, so longer waits that a proxy asks for are cut. */
const DAY_MS = 86_400_000

const stopped = () => failed('aborted', 0, makeRefusal('client.aborted'))

export async function refusalIn(response: Response): Promise<ApiAnswer<never>> {
  const { status } = response
  const answer: unknown = await response.json().catch(() => null)
  const later = Math.min(Number(response.headers.get('retry-after')) * 1_000, DAY_MS)
  if (isApiError(answer)) {
    const { code, reason = '', values = {}, message: written, headId } = answer.error
    const message = (await pageTextOfRefusal(reason, quotedValues(values))) ?? written
    const why = {
      reason,
      values,
      message,
      ...(headId !== undefined && { headId }),
      ...(later > 0 && { retryAfterMs: later }),
    }
    return err({ code: code as AppErrorCode, status, ...why })
  }
  // A proxy answered instead of Nod: the server behind it is down or starting.
  if (status >= 502 && status <= 504) return unreachable(status)
  const refused = failed(codesOfProxies[status] ?? 'bad-answer', status, makeRefusal('client.refused', { status }))
  return refused.ok || !(later > 0) ? refused : err({ ...refused.error, retryAfterMs: later })
}

/** What a proxy's refusal means for the request: one of them passes with time. */
const codesOfProxies: Readonly<Record<number, AppErrorCode>> = { 413: 'too-large', 429: 'rate-limited' }

/** Older servers send no reason. */
function isApiError(
  value: unknown,
): value is { error: Partial<Refusal> & Pick<ApiError['error'], 'code' | 'message' | 'headId'> } {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false
  const { error } = value
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

export interface RetryOptions {
  /** The number of tries, the first included. Infinity: as long as the page is open. */
  readonly tries: number
  readonly wait: (ms: number) => Promise<void>
  /** The wait after the first try. It doubles with each later try, up to a limit. */
  readonly firstWaitMs?: number
  /** Whether to try again. Default: after every failure that may pass with time. */
  readonly again?: (failure: ApiFailure) => boolean
  /** Called with each failure before the wait, so that the page can show it. */
  readonly onRetry?: (failure: ApiFailure) => void
}

export const unanswered = ({ code }: ApiFailure): boolean => code === 'unreachable'

/** For requests that a user waits for: retries soon, and only when there was no response at all. */
export const soon = { again: unanswered, firstWaitMs: 400 } as const

/** Repeats a request while its failure may pass with time. Only for requests that are safe to send twice. */
export async function withRetry<T>(
  request: () => Promise<ApiAnswer<T>>,
  { tries, wait, firstWaitMs = FIRST_WAIT_MS, again = mayRetry, onRetry }: RetryOptions,
): Promise<ApiAnswer<T>> {
  for (let tried = 1; ; tried += 1) {
    const answer = await request()
    if (answer.ok || !again(answer.error) || tried >= tries) return answer
    onRetry?.(answer.error)
    const ownMs = Math.min(firstWaitMs * 2 ** (tried - 1), LONGEST_WAIT_MS)
    await wait(Math.max(ownMs, answer.error.retryAfterMs ?? 0))
  }
}
