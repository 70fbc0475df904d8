import type { MonotonicClock } from '@/lib/base/clocks'
import { APICallError } from '@ai-sdk/provider'
import { isRecord } from '@/lib/base/json'
import { createChatModel } from '@/lib/shared/models/openai-compatible/index'
import { type Redact, createKeyRedactor } from '@/lib/shared/models/redact-keys'
import type { FromModelsWorker, LocalizedError, ToModelsWorker } from './worker-messages'

/** Where a server of the person's own stands, and what opens it. */
interface SecretServer {
  readonly baseUrl: string
  readonly key: string | null
}

const MARK = '[address]'
/** What this many servers have in their path says nothing of this one. */
const usualPath = /^\/*(?:(?:api|openai|v\d+\w*|chat|completions|models)(?:\/+|$))*$/i

/**
 * Takes a server's key and address out of words that it, or the way to it, said: what failed there is told to the server of this
 * app and is in exports, and both belong to the person. The address as a whole, by its host and port, by its host alone, and by
 * a path of its own; in any case, and as it is in another address.
 */
export function redactServer({ baseUrl, key }: SecretServer): Redact {
  const withoutKey = createKeyRedactor([key])
  const patterns = addressForms(baseUrl).map((form) => patternOf(form))
  return (text) => patterns.reduce((rest, pattern) => rest.replaceAll(pattern, MARK), withoutKey(text))
}

/** The longest first: what is left of a part of one is then no longer there. */
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

/** A name of one word ("ollama") is a word of the language, too, and is blotted out where it stands alone. */
function patternOf(form: string): RegExp {
  const quoted = form.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  const isWord = /^[\p{L}\p{N}-]+$/u.test(form)
  return isWord
    ? new RegExp(`(?:(?<=%[0-9a-f]{2})|(?<![\\p{L}\\p{N}]))${quoted}(?![\\p{L}\\p{N}])`, 'giu')
    : new RegExp(quoted, 'giu')
}

/** The world, as the worker sees it. */
export interface ModelsWorld {
  readonly fetch: typeof globalThis.fetch
  readonly monotonic: MonotonicClock
  readonly say: (message: FromModelsWorker) => void
  /** Where this app is served from: its server is never asked from here. */
  readonly origin: string
}

/** Of an answer that is looked at, and not streamed. */
const MAX_TEXT = 1_000_000
const MAX_CAUSES = 3

/**
 * Asks foreign servers for the page: an answer that is looked at, or a reply as parts of a stream. It carries no cookies, follows no
 * redirect, says not where it comes from beyond what every browser says, and never asks the server of this app.
 */
export function serveModels({ fetch, monotonic, say, origin }: ModelsWorld) {
  const running = new Map<number, AbortController>()
  const blocked = new Set<string>()

  const outside: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (originOf(url) === origin) throw new TypeError('a model server is never asked where this page is from')
    // The vendor's package names itself in it: one more header that a server would have to let in.
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
    // An answer that streams for ever is cut: what is looked at is at its beginning.
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
      // Its parts are data; what is not, like raw answers, is no one's.
      else if (value.type !== 'response-metadata') say({ type: 'part', id, part: value })
    }
    say({ type: 'end', id })
  }

  return {
    /** The policy refused a host. */
    refused: (url: string) => void blocked.add(originOf(url)),
    async hear(message: ToModelsWorker): Promise<void> {
      const { id } = message
      if (message.type === 'abort') return running.get(id)?.abort()
      const abort = new AbortController()
      running.set(id, abort)
      const url = message.type === 'fetch' ? message.url : message.model.baseUrl
      // What a look found stays with anyone who typed the address; what a reply failed of is told and kept.
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

/** Servers repeat a key that they refuse, and say where they are: both go no further than here. */
function saidError(error: unknown, clean: Redact, depth = 0): LocalizedError {
  if (!(error instanceof Error)) return saidObject(error, clean)
  const { name, message, cause } = error
  // That a connection broke is in the cause alone.
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

/** An error that is in a stream is a text, or an object of the server's own: what tells its kind comes along. */
function saidObject(error: unknown, clean: Redact): LocalizedError {
  const said: Readonly<Record<string, unknown>> = isRecord(error) ? error : {}
  const { message, code, type } = said
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
