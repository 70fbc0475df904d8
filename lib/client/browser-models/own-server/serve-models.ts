import type { MonotonicClock } from '@/lib/base/clocks'
import { APICallError } from '@ai-sdk/provider'
import { isRecord } from '@/lib/base/json'
import { createChatModel } from '@/lib/shared/models/openai-compatible/index'
import { type Redact, createKeyRedactor } from '@/lib/shared/models/redact-keys'
import type { FromModelsWorker, LocalizedError, ToModelsWorker } from './worker-messages'

/** The address of the user's own server, and its key. */
interface SecretServer {
  readonly baseUrl: string
  readonly key: string | null
}

const MARK = '[address]'
/** Path parts that are common to many servers reveal nothing about this one. */
const usualPath = /^\/*(?:(?:api|openai|v\d+\w*|chat|completions|models)(?:\/+|$))*$/i

/**
 * Removes a server's key and address from texts that it, or the connection to it, produced: Nod's server and exports
 * get the error, and both are private. Removes the whole address, host and port, the host alone, and its own path, in
 * any case, and also inside another address.
 */
export function redactServer({ baseUrl, key }: SecretServer): Redact {
  const withoutKey = createKeyRedactor([key])
  const patterns = addressForms(baseUrl).map((form) => patternOf(form))
  return (text) => patterns.reduce((rest, pattern) => rest.replaceAll(pattern, MARK), withoutKey(text))
}

/** The longest first, so that no part of a longer one remains. */
function addressForms(baseUrl: string): readonly string[] {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    return [baseUrl]
  }
  const bare = url.hostname.replaceAll(/^\[|\]$/g, '')
  const path = usualPath.test(url.pathname) ? [] : [url.pathname.replace(/\/+$/, '')]
  const plain = [baseUrl, url.origin, url.host, url.hostname, bare, ...path, url.search]
  const forms = plain.flatMap((form) => [form, encodeURIComponent(form), form.replaceAll('/', String.raw`\/`)])
  return [...new Set(forms)].filter((form) => form.length > 1).toSorted((a, b) => b.length - a.length)
}

/** A one-word name ("ollama") is also an ordinary word, and is removed only where it is the whole text. */
function patternOf(form: string): RegExp {
  const quoted = form.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  const isWord = /^[\p{L}\p{N}-]+$/u.test(form)
  return isWord
    ? new RegExp(`(?:(?<=%[0-9a-f]{2})|(?<![\\p{L}\\p{N}]))${quoted}(?![\\p{L}\\p{N}])`, 'giu')
    : new RegExp(quoted, 'giu')
}

/** The environment of the worker. */
export interface ModelsWorld {
  readonly fetch: typeof globalThis.fetch
  readonly monotonic: MonotonicClock
  readonly say: (message: FromModelsWorker) => void
  /** The origin of this app: its server is never asked from here. */
  readonly origin: string
}

/** The limit for a response that is inspected, not streamed. */
const MAX_TEXT = 1_000_000
const MAX_CAUSES = 3

/**
 * Asks foreign servers for the page: a response to inspect, or a reply as parts of a stream. Requests carry no cookies,
 * follow no redirect, reveal no more about their origin than every browser does, and never go to Nod's server.
 */
export function serveModels({ fetch, monotonic, say, origin }: ModelsWorld) {
  const running = new Map<number, AbortController>()
  const blocked = new Set<string>()

  const outside: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (originOf(url) === origin) throw new TypeError('a model server is never asked where this page is from')
    // The vendor's package adds a header with its name: one more header that a server would have to allow.
    const headers = new Headers(init?.headers)
    headers.delete('user-agent')
    return fetch(input, {
      ...init,
      headers,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: init?.mode === 'no-cors' ? 'follow' : 'error',
      cache: 'no-store',
    })
  }

  async function look(
    { id, url, method, headers, body, mode }: Extract<ToModelsWorker, { type: 'fetch' }>,
    signal: AbortSignal,
  ) {
    const response = await outside(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(body === null ? {} : { body }),
      mode,
      signal,
    })
    const { status } = response
    // An endless response is cut: only its beginning is needed.
    const text = await startOf(response, signal)
    say({ type: 'answer', id, status, headers: [...response.headers], text })
  }

  async function stream(
    { id, model, options }: Extract<ToModelsWorker, { type: 'stream' }>,
    clean: Redact,
    signal: AbortSignal,
  ) {
    const { baseUrl, key, name, fields } = model
    const ports = { fetch: outside, monotonic }
    const asked = createChatModel({ id: 'browser', baseUrl, apiKey: key }, name, ports, fields)
    const reply = await asked.doStream({ ...options, abortSignal: signal })
    const reader = reply.stream.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (value.type === 'error') say({ type: 'error', id, error: saidError(value.error, clean) })
      // Its parts are data; others, like raw responses, are dropped.
      else if (value.type !== 'response-metadata') say({ type: 'part', id, part: value })
    }
    say({ type: 'end', id })
  }

  return {
    /** Call it when the policy refused a host. */
    refused: (url: string) => void blocked.add(originOf(url)),
    async hear(message: ToModelsWorker): Promise<void> {
      const { id } = message
      if (message.type === 'abort') return running.get(id)?.abort()
      const abort = new AbortController()
      running.set(id, abort)
      const url = message.type === 'fetch' ? message.url : message.model.baseUrl
      // The result of a check stays with the user who typed the address; the error of a reply is sent and stored.
      const clean: Redact = message.type === 'fetch' ? (text) => text : redactServer(message.model)
      try {
        await (message.type === 'fetch' ? look(message, abort.signal) : stream(message, clean, abort.signal))
      } catch (error) {
        say({ type: 'failed', id, error: saidError(error, clean), blocked: blocked.has(originOf(url)) })
      } finally {
        running.delete(id)
      }
    },
  }
}

async function startOf(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    if (!reader || text.length >= MAX_TEXT || signal.aborted) break
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
  await reader?.cancel().catch(() => {})
  return text.slice(0, MAX_TEXT)
}

/** Servers repeat a key that they refuse, and name their address: neither leaves this worker. */
function saidError(error: unknown, clean: Redact, depth = 0): LocalizedError {
  if (!(error instanceof Error)) return saidObject(error, clean)
  const { name, message, cause } = error
  // Only the cause says that a connection broke.
  const inner = cause === undefined || depth >= MAX_CAUSES ? {} : { cause: saidError(cause, clean, depth + 1) }
  if (!APICallError.isInstance(error)) return { name, message: clean(message), ...inner }
  const { statusCode, responseBody, responseHeaders } = error
  return {
    name,
    message: clean(message),
    ...inner,
    ...(statusCode !== undefined && { status: statusCode }),
    ...(responseBody !== undefined && { body: clean(responseBody) }),
    ...(responseHeaders && { headers: responseHeaders }),
  }
}

/** An error in a stream is a text, or an object of the server's own: the part that tells its kind is kept. */
function saidObject(error: unknown, clean: Redact): LocalizedError {
  const fields: Readonly<Record<string, unknown>> = isRecord(error) ? error : {}
  const { message, code, type } = fields
  const words = typeof message === 'string' ? message : typeof error === 'string' ? error : JSON.stringify(error)
  return {
    name: 'Error',
    message: clean(words ?? ''),
    ...(typeof code === 'string' && { code: clean(code) }),
    ...(typeof code === 'number' && { code }),
    ...(typeof type === 'string' && { type: clean(type) }),
  }
}

function originOf(url: string): string {
  try {
    return new URL(url).origin
  } catch {
    return ''
  }
}
