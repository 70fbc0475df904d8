import type { ApiError } from '@/lib/shared/conversation/wire/api-types'
import type { AppErrorCode, Refusal } from '@/lib/base/app-error'
import { withBase } from '@/lib/base/base-path'
import { err, ok } from '@/lib/base/result'
import { wordsOfRefusal } from '@/lib/i18n/refused'
import { makeRefusal } from '@/lib/i18n/t'
import { quotedValues } from '@/lib/i18n/quoted-refusal'
import { brokeOff, failed, unreachable, type ApiAnswer } from './api-failure'

interface Asked {
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly keepalive?: boolean
}

/** How any page asks the server: by paths without the base path. Nothing rejects: what went wrong is data, in this page’s words. */
export function createWire(fetchFrom: typeof fetch) {
  async function request(
    method: string,
    path: string,
    { body, signal, keepalive = false }: Asked = {},
  ): Promise<ApiAnswer<Response>> {
    try {
      const response = await fetchFrom(withBase(path), {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        // No cache mode: every answer says `no-store` itself, and a mode of our own would pass by what the page preloaded.
        ...(signal ? { signal } : {}),
        ...(keepalive ? { keepalive } : {}),
      })
      return response.ok ? ok(response) : await refusalIn(response)
    } catch {
      return signal?.aborted ? stopped() : unreachable()
    }
  }
  async function ask<T>(method: string, path: string, more: Asked = {}): Promise<ApiAnswer<T>> {
    const response = await request(method, path, more)
    if (!response.ok) return response
    try {
      // Done, and nothing to say of it.
      if (response.value.status === 204) return ok({} as T)
      return ok((await response.value.json()) as T)
    } catch {
      return more.signal?.aborted ? stopped() : brokeOff(response.value.status)
    }
  }
  /** What stands under this name in the answer. */
  async function askFor<T>(name: string, ...[method, path, more]: Parameters<typeof ask>): Promise<ApiAnswer<T>> {
    const answer = await ask<Readonly<Record<string, T>>>(method, path, more)
    return answer.ok ? ok(answer.value[name] as T) : answer
  }
  async function tell(...[method, path, more]: Parameters<typeof ask>): Promise<ApiAnswer<null>> {
    const answer = await request(method, path, more)
    return answer.ok ? ok(null) : answer
  }

  return { request, ask, askFor, tell }
}

/** What a proxy asks for beyond it is more than a timer can hold. */
const DAY_MS = 86_400_000

const stopped = () => failed('aborted', 0, makeRefusal('client.aborted'))

export async function refusalIn(response: Response): Promise<ApiAnswer<never>> {
  const { status } = response
  const answer: unknown = await response.json().catch(() => null)
  if (isApiError(answer)) {
    const { code, reason = '', values = {}, message: written, headId } = answer.error
    const message = (await wordsOfRefusal(reason, quotedValues(values))) ?? written
    const later = Math.min(Number(response.headers.get('retry-after')) * 1_000, DAY_MS)
    const why = {
      reason,
      values,
      message,
      ...(headId !== undefined && { headId }),
      ...(later > 0 && { retryAfterMs: later }),
    }
    return err({ code: code as AppErrorCode, status, ...why })
  }
  // A proxy in between answers without our words: the server behind it is gone or starting.
  if (status >= 502 && status <= 504) return unreachable(status)
  return failed('bad-answer', status, makeRefusal('client.refused', { status }))
}

/** Of a server of before, which said no reason, too. */
function isApiError(
  value: unknown,
): value is { error: Partial<Refusal> & Pick<ApiError['error'], 'code' | 'message' | 'headId'> } {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false
  const { error } = value
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}
