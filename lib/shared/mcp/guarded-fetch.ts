import { isRecord } from '@/lib/base/json'
import { waited } from './session'
import { standaloneStream, type StandaloneStreamPorts } from './standalone-stream'

/** The limit of one response's body. */
export const MAX_ANSWER_BYTES = 16_000_000
/** Between two requests for the rest of a broken answer. */
const MAX_PAUSE_MS = 1_000

export interface GuardedFetchPorts {
  readonly fetch: typeof globalThis.fetch
  /** The only origin that requests go to. */
  readonly to: string
  /** The answer of the call with this JSON-RPC id will not come. */
  readonly onLost: (id: string | number, why: 'lost' | 'too-large') => void
  /** The result of the call or list with this id, as it was received. */
  readonly onResult: (id: string | number, result: unknown) => void
  /** Ends with the call of this id: its stream is closed. */
  readonly overOf?: (id: string | number) => AbortSignal | undefined
  /** The stream of the call `id` carries a request of the server. */
  readonly onQuestion?: (id: string | number, question: string | number) => void
  /** For the stream on which a server may ask while calls run; left out: there is none. */
  readonly inFewTabs?: StandaloneStreamPorts['inFewTabs']
  /** The server's questions beside the call with this id are not received for now: other tabs have the streams. */
  readonly onUnheard?: (id: string | number) => void
}

/** Requests go to one origin, without cookies, and a redirect is an error. */
export const guardRequests =
  (fetch: typeof globalThis.fetch, to: string): typeof globalThis.fetch =>
  async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (new URL(url).origin !== to) throw new TypeError('another origin than the server’s is never asked')
    const headers = new Headers(init?.headers)
    // One more header that the server's CORS would have to allow.
    headers.delete('user-agent')
    return fetch(input, {
      ...init,
      headers,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      cache: 'no-store',
    })
  }

/**
 * A fetch for one server. It sends no cookies, follows no redirect, opens no standing stream, and notices when the
 * stream of a call ends without its answer, for which the SDK would wait for the whole time limit. It never sends
 * anything again.
 */
export function guardedFetch({ fetch, to, inFewTabs, overOf, ...hears }: GuardedFetchPorts): typeof globalThis.fetch {
  const ask = guardRequests(fetch, to)
  const standalone = inFewTabs && standaloneStream({ fetch: ask, inFewTabs })
  /**
   * Calls whose answer continues after an event: in 2025 a client can fetch the rest of a broken stream by the last
   * event's id.
   */
  const resumable = new Map<string, string | number>()
  const resumes = new Map<string | number, number>()
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    const method = init.method ?? 'GET'
    // Browsers have six HTTP/1.1 connections per host for all tabs: a standing stream per chat would use them up. 405
    // is the protocol's answer for "no stream here". With last-event-id the client asks for the rest of a broken
    // answer.
    if (method === 'GET' && !headers.has('last-event-id')) {
      return standalone?.answer(input, { ...init, headers }) ?? new Response(null, { status: 405 })
    }
    const after = headers.get('last-event-id')
    const asked = method === 'POST' ? watchedIn(init.body) : null
    const call = asked?.id ?? (after === null ? null : (resumable.get(after) ?? null))
    // The rest of an answer that is no longer awaited.
    if (after !== null && !resumable.delete(after)) return new Response(null, { status: 405 })
    const over = call === null ? undefined : overOf?.(call)
    const signal = AbortSignal.any([init.signal, over].filter((one) => one != null))
    if (call !== null && after !== null) {
      // The server says how soon the client asks again, and may say so without end.
      const count = resumes.get(call) ?? 0
      resumes.set(call, count + 1)
      if (count > 0) await waited(Math.min(MAX_PAUSE_MS, 10 * 2 ** count), signal)
    }
    const held = asked?.isCall === true ? await standalone?.hold() : undefined
    const release = held?.release ?? (() => {})
    if (call !== null && held?.isUnheard) hears.onUnheard?.(call)
    try {
      // It may have been stopped while it waited.
      signal.throwIfAborted()
      const response = await ask(input, { ...init, headers, signal })
      // The client keeps waiting if the rest is refused, and asks again endlessly if it is empty.
      if (call !== null && (after !== null ? !response.ok : response.ok && !response.body)) hears.onLost(call, 'lost')
      if (response.body) return watched(response, response.body, call, { ...hears, over, resumable, onEnd: release })
      release()
      return response
    } catch (error) {
      if (call !== null && after !== null) hears.onLost(call, 'lost')
      release()
      throw error
    }
  }
}

/** The id of a call, or of a list of tools; null for other requests. */
function watchedIn(body: unknown): { readonly id: string | number; readonly isCall: boolean } | null {
  if (typeof body !== 'string') return null
  try {
    const { method, id }: { method?: unknown; id?: unknown } = JSON.parse(body)
    const isWatched = method === 'tools/call' || method === 'tools/list'
    return isWatched && (typeof id === 'string' || typeof id === 'number')
      ? { id, isCall: method === 'tools/call' }
      : null
  } catch {
    return null
  }
}

interface WatchPorts extends Omit<GuardedFetchPorts, 'fetch' | 'to' | 'inFewTabs' | 'overOf'> {
  readonly over: AbortSignal | undefined
  /** By the id of the last event. */
  readonly resumable: Map<string, string | number>
  readonly onEnd: () => void
}

function watched(
  response: Response,
  source: ReadableStream<Uint8Array>,
  call: string | number | null,
  { onLost, onEnd, over, resumable, ...hears }: WatchPorts,
): Response {
  const { status, statusText, headers } = response
  const isStream = /event-stream/i.test(headers.get('content-type') ?? '')
  const answer = call !== null && response.ok ? watchAnswer(call, isStream, hears) : null
  const reader = source.getReader()
  let bytes = 0
  let isOpen = true
  const end = () => {
    if (isOpen) onEnd()
    isOpen = false
  }
  /** The stream has ended, or broke. */
  const judge = () => {
    if (call === null || over?.aborted || !answer?.isMissing()) return
    const next = answer.resumesAfter()
    if (next === null) onLost(call, 'lost')
    else resumable.set(next, call)
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(out) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          end()
          const missing = answer?.end()
          if (missing) out.enqueue(missing)
          judge()
          out.close()
          return
        }
        bytes += value.byteLength
        if (bytes > MAX_ANSWER_BYTES) {
          end()
          if (call !== null) onLost(call, 'too-large')
          await reader.cancel()
          out.error(new TypeError('the answer is too large'))
          return
        }
        answer?.add(value)
        out.enqueue(value)
      } catch (error) {
        end()
        judge()
        out.error(error)
      }
    },
    cancel(reason) {
      end()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status, statusText, headers })
}

/**
 * Whether the answer of a call came, and the event after which the client fetches the rest. Null: the answers of all
 * calls.
 */
export function watchAnswer(
  call: string | number | null,
  isStream: boolean,
  {
    onResult,
    onQuestion,
    onAnswered,
  }: Pick<GuardedFetchPorts, 'onResult' | 'onQuestion'> & { readonly onAnswered?: (id: string | number) => void },
) {
  const decoder = new TextDecoder()
  let line = ''
  let data = ''
  /** A chunk ended in CR: the LF that may follow ends no further line. */
  let endedInCr = false
  let isAnswered = false
  /** As the SDK decides: it does not fetch the rest of a stream that contained any answer. */
  let holdsAnswer = false
  let eventId = ''
  let lastEvent: string | null = null
  const read = (text: string) => {
    for (const message of messagesIn(text)) {
      const id = idOf(message)
      if (id === null) continue
      if ('method' in message) {
        if (call !== null) onQuestion?.(call, id)
      }
      // As the SDK reads it: the id may be written as a text.
      else if ('result' in message || 'error' in message) {
        holdsAnswer = true
        if (call !== null && Number(id) !== Number(call)) continue
        isAnswered = true
        onAnswered?.(id)
        if ('result' in message) onResult(call ?? Number(id), message['result'])
      }
    }
  }
  const endLine = () => {
    if (line.startsWith('id:')) eventId = line.slice(3).trim()
    else if (line.startsWith('data:')) data += `${line.slice(5)}\n`
    else if (line.trim() === '') {
      if (data !== '') {
        if (eventId !== '') lastEvent = eventId
        read(data)
      }
      data = ''
      eventId = ''
    }
    line = ''
  }
  return {
    add(bytes: Uint8Array) {
      const text = decoder.decode(bytes, { stream: true })
      if (!isStream) {
        data += text
        return
      }
      if (text === '') return
      const [first = '', ...rest] = (endedInCr && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\n|\r/)
      endedInCr = text.endsWith('\r')
      line += first
      for (const next of rest) {
        endLine()
        line = next
      }
    },
    /** The SDK needs this to take a last CR for the end of a line. */
    end() {
      if (!isStream) read(data)
      return endedInCr ? new TextEncoder().encode('\n') : null
    },
    isMissing: () => !isAnswered,
    resumesAfter: () => (holdsAnswer ? null : lastEvent),
  }
}

/** Messages may come as a list. Text that is no JSON is no message. */
function messagesIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord)
  } catch {
    return []
  }
}

const idOf = ({ id }: Readonly<Record<string, unknown>>): string | number | null =>
  typeof id === 'string' || typeof id === 'number' ? id : null
