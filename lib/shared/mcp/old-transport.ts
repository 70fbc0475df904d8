import {
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  type AuthProvider,
  type FetchLike,
} from '@modelcontextprotocol/client'
import { isRecord } from '@/lib/base/json'
import { guardRequests, MAX_ANSWER_BYTES, watchAnswer, type GuardedFetchPorts } from './guarded-fetch'

/*
 * HTTP+SSE, the transport of 2024-11-05: requests are posted, and all answers arrive on one standing stream. The stream
 * is the session, so nothing of it can be fetched later.
 */

export interface OldTransportPorts extends Pick<GuardedFetchPorts, 'fetch' | 'onResult' | 'overOf'> {
  /** Adds the sign-in to requests. */
  readonly wrap?: (fetch: typeof globalThis.fetch) => FetchLike
  readonly authProvider?: AuthProvider
  /** The server has begun a stream of events, so it speaks this transport. */
  readonly onMet: () => void
  /**
   * The stream has ended: no answer will come. Close the transport, or the SDK opens another stream, which would be a
   * session that nobody began.
   */
  readonly onEnd: (why: 'lost' | 'too-large') => void
}

/** Whether a server that has only the old transport may answer so to a message of the newer ones. */
export const isOlderRefusal = (status: number): boolean => [400, 404, 405, 406, 410, 415, 422].includes(status)

/** No stream of events began: this is no server of the old transport. */
export class NotMet extends Error {}

/** The first event says where requests go, and is sent at once. */
const ENDPOINT_MS = 5_000

/** The SDK's transport, with bounds; it sends nothing to another origin. */
export function oldTransport(url: URL, { wrap, authProvider, ...ports }: OldTransportPorts): SSEClientTransport {
  const fetch = oldFetch(url.origin, { ...ports, signsIn: authProvider !== undefined })
  const transport = new SSEClientTransport(url, {
    fetch: wrap ? wrap(fetch) : fetch,
    ...(authProvider && { authProvider }),
  })
  const start = transport.start.bind(transport)
  transport.start = async () => {
    const { promise, reject } = Promise.withResolvers<never>()
    const late = () => reject(new SdkError(SdkErrorCode.RequestTimeout, 'the server names no endpoint'))
    const timer = setTimeout(late, ENDPOINT_MS)
    try {
      await Promise.race([start(), promise])
    } finally {
      clearTimeout(timer)
    }
  }
  return transport
}

function oldFetch(
  to: string,
  {
    fetch,
    signsIn,
    onMet,
    onEnd,
    onResult,
    overOf,
  }: Omit<OldTransportPorts, 'wrap' | 'authProvider'> & { readonly signsIn: boolean },
): typeof globalThis.fetch {
  const ask = guardRequests(fetch, to)
  const waiting = new Set<number>()
  let bytes = 0

  function watched(response: Response, source: ReadableStream<Uint8Array>): Response {
    const reader = source.getReader()
    const answers = watchAnswer(null, true, {
      onResult,
      onAnswered(id) {
        if (waiting.delete(Number(id))) bytes = 0
      },
    })
    const body = new ReadableStream<Uint8Array>({
      async pull(out) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            onEnd('lost')
            return out.close()
          }
          // The count starts again after each answer.
          bytes += value.byteLength
          if (bytes > MAX_ANSWER_BYTES) {
            onEnd('too-large')
            await reader.cancel()
            return out.error(new TypeError('the stream is too large'))
          }
          answers.add(value)
          out.enqueue(value)
        } catch (error) {
          onEnd('lost')
          out.error(error)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
    return new Response(body, response)
  }

  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    // This version has no such header, and its servers' CORS may not allow it.
    headers.delete('mcp-protocol-version')
    if (init.method === 'POST') {
      const id = idOfRequest(init.body)
      if (id !== null) waiting.add(id)
      const over = id === null ? undefined : overOf?.(id)
      const signal = AbortSignal.any([init.signal, over].filter((one) => one != null))
      const response = await ask(input, { ...init, headers, signal })
      const { status, statusText } = response
      if (status === 401 && signsIn) return response
      // The SDK would read the body whole, which says nothing, and report the status only in words.
      await response.body?.cancel()
      if (response.ok) return new Response(null, { status })
      throw new SdkHttpError(SdkErrorCode.ClientHttpUnexpectedContent, `status ${status}`, { status, statusText })
    }
    const response = await ask(input, { ...init, headers })
    const isStream = response.ok && /event-stream/i.test(response.headers.get('content-type') ?? '')
    if (!isStream || !response.body) return response
    onMet()
    return watched(response, response.body)
  }
}

function idOfRequest(body: unknown): number | null {
  try {
    const message: unknown = JSON.parse(String(body))
    return isRecord(message) && 'method' in message && typeof message['id'] === 'number' ? message['id'] : null
  } catch {
    return null
  }
}
