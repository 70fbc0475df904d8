import type { MonotonicClock } from '@/lib/base/clocks'
import type { ModelInfo } from './model'

/** Ports of everything that asks a model server what it has. */
export interface ListingPorts {
  readonly fetch: typeof globalThis.fetch
  readonly monotonic: MonotonicClock
}

type LoadModels = (signal: AbortSignal) => Promise<readonly ModelInfo[]>

/** A failure is kept for this long at most: whoever started the server meanwhile presses "Try again" and means it. */
const failureKeptMs = 2_000

/**
 * Keeps a server's answer for `keepMs`, and shares one request between callers. A failure is kept for `failureKeptMs` from
 * when it is known, so that a dead server costs a few timeouts and not one per visitor. The request has a timeout of its
 * own; a caller's signal ends only the caller's waiting.
 */
export function cacheListing(
  load: LoadModels,
  options: { readonly keepMs: number; readonly timeoutMs: number; readonly monotonic: MonotonicClock },
): LoadModels {
  let kept: { readonly answer: Promise<readonly ModelInfo[]>; until: number } | null = null
  return (signal) => {
    if (kept === null || options.monotonic() >= kept.until) {
      const asked = {
        answer: load(AbortSignal.timeout(options.timeoutMs)),
        until: options.monotonic() + options.keepMs,
      }
      kept = asked
      asked.answer.catch(() => {
        asked.until = Math.min(asked.until, options.monotonic() + failureKeptMs)
      })
    }
    return waitFor(kept.answer, signal)
  }
}

function waitFor<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** GETs JSON from an address of the operator's configuration. Throws on anything but 2xx with a JSON body. */
export async function getJson(
  url: string,
  apiKey: string | null,
  ports: ListingPorts,
  signal: AbortSignal,
): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (apiKey !== null) headers.authorization = `Bearer ${apiKey}`
  const response = await ports.fetch(url, { headers, signal, redirect: 'error', cache: 'no-store' })
  if (!response.ok) {
    await response.body?.cancel()
    throw new ListingError(response.status)
  }
  return response.json()
}

/** The server answered, but not with a list. */
export class ListingError extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the server answered ${status}`)
    this.name = 'ListingError'
    this.status = status
  }
}

/** The server answered with something that is no list of models. */
export class NoListError extends Error {
  constructor() {
    super('the answer is no list of models')
    this.name = 'NoListError'
  }
}
