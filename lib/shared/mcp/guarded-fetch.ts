import { isRecord } from '@/lib/base/json'
import { standingStream, type StandingStreamPorts } from './standing-stream'

/** The body of one answer. */
const MAX_ANSWER_BYTES = 16_000_000

export interface GuardedFetchPorts {
  readonly fetch: typeof globalThis.fetch
  /** The only origin that is asked. */
  readonly to: string
  /** The answer of the call with this JSON-RPC id will not come. */
  readonly onLost: (id: string | number, why: 'lost' | 'too-large') => void
  /** The result of the call with this id, as it came over the wire. */
  readonly onResult: (id: string | number, result: unknown) => void
  /** The stream of the call `id` carries a request of the server. */
  readonly onQuestion?: (id: string | number, question: string | number) => void
  /** For the stream on which a server may ask while calls run; left out: there is none. */
  readonly inFewTabs?: StandingStreamPorts['inFewTabs']
  /** What the server asks beside the call with this id is not heard for now: other tabs are asked first. */
  readonly onUnheard?: (id: string | number) => void
}

/**
 * A fetch for one server. It carries no cookies, follows no redirect, opens no standing stream, and notices when the stream
 * of a call ends without its answer: the SDK would wait for the whole time limit. It never sends anything again.
 */
export function guardedFetch({ fetch, to, inFewTabs, ...hears }: GuardedFetchPorts): typeof globalThis.fetch {
  const ask: typeof globalThis.fetch = (input, init) =>
    fetch(input, {
      ...init,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      cache: 'no-store',
    })
  const standing = inFewTabs && standingStream({ fetch: ask, inFewTabs })
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    if (new URL(url).origin !== to) throw new TypeError('another origin than the server’s is never asked')
    const headers = new Headers(init.headers)
    // One more header that the server's CORS would have to allow.
    headers.delete('user-agent')
    const method = init.method ?? 'GET'
    // Browsers have six HTTP/1.1 connections per host for all tabs: a standing stream per chat would use them up. 405 is the
    // protocol's answer for "no stream here". With last-event-id the client asks for the rest of a broken answer.
    if (method === 'GET' && !headers.has('last-event-id')) {
      return standing?.answer(input, { ...init, headers }) ?? new Response(null, { status: 405 })
    }
    const call = method === 'POST' ? callIdOf(init.body) : null
    const held = call === null ? undefined : await standing?.hold()
    const release = held?.release ?? (() => {})
    if (call !== null && held?.isUnheard) hears.onUnheard?.(call)
    try {
      const response = await ask(input, { ...init, headers })
      if (response.body) return watched(response, response.body, call, { ...hears, onEnd: release })
      if (call !== null && response.ok) hears.onLost(call, 'lost')
      release()
      return response
    } catch (error) {
      release()
      throw error
    }
  }
}

/** The id of a `tools/call`; null for other requests. */
function callIdOf(body: unknown): string | number | null {
  if (typeof body !== 'string') return null
  try {
    const { method, id }: { method?: unknown; id?: unknown } = JSON.parse(body)
    return method === 'tools/call' && (typeof id === 'string' || typeof id === 'number') ? id : null
  } catch {
    return null
  }
}

function watched(
  response: Response,
  source: ReadableStream<Uint8Array>,
  call: string | number | null,
  { onLost, onEnd, ...hears }: Omit<GuardedFetchPorts, 'fetch' | 'to' | 'inFewTabs'> & { readonly onEnd: () => void },
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
  const body = new ReadableStream<Uint8Array>({
    async pull(out) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          end()
          const missing = answer?.end()
          if (missing) out.enqueue(missing)
          if (call !== null && answer?.isMissing()) onLost(call, 'lost')
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
        if (call !== null && answer?.isMissing()) onLost(call, 'lost')
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

/** Whether the answer of a call came, or can still be fetched by an event's id: servers of 2025 may give their events ids. */
function watchAnswer(
  call: string | number,
  isStream: boolean,
  { onResult, onQuestion }: Pick<GuardedFetchPorts, 'onResult' | 'onQuestion'>,
) {
  const decoder = new TextDecoder()
  let line = ''
  let data = ''
  /** A chunk ended in CR: the LF that may follow ends no further line. */
  let endedInCr = false
  let isSettled = false
  const read = (text: string) => {
    for (const message of messagesIn(text)) {
      const id = idOf(message)
      if (id === null) continue
      if ('method' in message) onQuestion?.(call, id)
      // As the SDK reads it: the id may be written as a text.
      else if (Number(id) === Number(call) && ('result' in message || 'error' in message)) {
        isSettled = true
        if ('result' in message) onResult(call, message['result'])
      }
    }
  }
  const endLine = () => {
    if (line.startsWith('id:') && line.slice(3).trim() !== '') isSettled = true
    else if (line.startsWith('data:')) data += `${line.slice(5)}\n`
    else if (line.trim() === '') {
      if (data !== '') read(data)
      data = ''
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
    /** What the SDK needs to take a last CR for the end of a line. */
    end() {
      if (!isStream) read(data)
      return endedInCr ? new TextEncoder().encode('\n') : null
    },
    isMissing: () => !isSettled,
  }
}

/** Messages may come as a list. Text that is no JSON is no message. */
function messagesIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const said: unknown = JSON.parse(text)
    return (Array.isArray(said) ? said : [said]).filter(isRecord)
  } catch {
    return []
  }
}

const idOf = ({ id }: Readonly<Record<string, unknown>>): string | number | null =>
  typeof id === 'string' || typeof id === 'number' ? id : null
