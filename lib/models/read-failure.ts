import type { Redact } from './redact-keys'
import { redactSecrets } from './redact-secrets'
import type { ModelFailure } from './model'

export interface FailureFacts {
  readonly code: ModelFailure['code']
  /** HTTP status where there was an answer. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
  /** The model or its server takes no tools as schemas. */
  readonly refusesTools: boolean
  readonly detail: string
}

const maxDetailBytes = 2_048
/** A server may answer with a whole page; more than this is not read. */
const maxWords = 8_192
const maxCauses = 6

/**
 * Errors of the AI SDK, of fetch and of servers that report an error inside a stream, read by shape and not by class:
 * several copies of a package may be loaded, and in-stream errors are plain objects or strings. `redact` sees every word
 * before it is cut or read.
 */
export function readFailure(error: unknown, redact: Redact = (text) => text): FailureFacts {
  const chain = causesOf(error)
  const status = firstOf(chain, statusOf)
  const words = chain.flatMap((value) => wordsOf(value, redact))
  const text = words.join('\n')
  return {
    code: refusesTools(text) ? 'refused' : codeOf(chain, status, text),
    refusesTools: refusesTools(text),
    status,
    retryAfterSeconds: firstOf(chain, retryAfterOf),
    detail: detailOf(status, words),
  }
}

type Shape = Readonly<Record<string, unknown>>
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null

/** The error, then what it wraps: `lastError` of a RetryError, `cause`, the first of an AggregateError. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  let current: unknown = error
  while (current !== undefined && current !== null && chain.length < maxCauses && !chain.includes(current)) {
    chain.push(current)
    if (!isShape(current)) break
    const nested = Array.isArray(current['errors']) ? (current['errors'] as readonly unknown[])[0] : undefined
    current = current['lastError'] ?? current['cause'] ?? nested
  }
  return chain
}

function firstOf<T>(chain: readonly unknown[], read: (value: Shape) => T | null): T | null {
  for (const value of chain) {
    const found = isShape(value) ? read(value) : null
    if (found !== null) return found
  }
  return null
}

/** `code` is a status in the in-stream errors of vLLM and OpenRouter. */
function statusOf(value: Shape): number | null {
  for (const key of ['statusCode', 'status', 'code']) {
    const status = typeof value[key] === 'string' ? Number(value[key]) : value[key]
    if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599) return status
  }
  return null
}

function retryAfterOf(value: Shape): number | null {
  const headers = value['responseHeaders']
  const seconds = isShape(headers) ? Number(headers['retry-after'] ?? Number.NaN) : Number.NaN
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null
}

function codeOf(chain: readonly unknown[], status: number | null, text: string): ModelFailure['code'] {
  const names = chain.flatMap((value) => (isShape(value) ? [value['name'], value['code'], value['type']] : []))
  const named = (pattern: RegExp) => names.some((name) => typeof name === 'string' && pattern.test(name))

  // Whoever watches a stream in which nothing comes aborts with a `StalledError`.
  if (named(/^(StalledError|TimeoutError)$/) || named(/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/)) return 'stalled'
  if ((status === null || status < 500) && isTooLong(text)) return 'too-long'
  if (status === 401 || status === 403 || named(/^(AI_LoadAPIKeyError|authentication_error|invalid_api_key)$/)) {
    return 'unauthorised'
  }
  if (status === 404) return 'not-found'
  if (status === 408 || status === 504) return 'stalled'
  if (status === 429 || named(/^(rate_limit_error|rate_limit_exceeded|insufficient_quota)$/)) return 'rate-limited'
  if (status !== null && status >= 500) return 'server-error'
  if (status !== null) return 'refused'
  if (named(networkCode) || networkWords.test(text)) return 'unreachable'
  if (named(/^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|InvalidStreamPart)Error$/)) {
    return 'bad-response'
  }
  if (named(/^(SyntaxError|ZodError|\$ZodError|AI_APICallError)$/)) return 'bad-response'
  if (named(/^(server_error|api_error|overloaded_error|internal_server_error)$/)) return 'server-error'
  return 'unknown'
}

const networkCode =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|DEPTH_ZERO_SELF_SIGNED_CERT)$/
/**
 * "terminated" is what undici says when a server hangs up inside a body. A browser says nothing else than that it failed: Chromium
 * "Failed to fetch" and "network error" (inside a body), Firefox "NetworkError when …" and "Error in input stream", Safari "Load failed".
 */
const networkWords =
  /cannot connect to api|fetch failed|failed to fetch|socket hang up|other side closed|^terminated$|^network ?error\b|^error in input stream$|^load failed$/im

/** In the words of OpenAI, Anthropic, Google, vLLM, llama.cpp and Ollama. */
const isTooLong = (text: string): boolean =>
  /context[ _]length|context window|context size|maximum context|prompt is too long|too many tokens|input token count.{0,40}exceeds|exceed(s|ed)?.{0,20}context|num_ctx/i.test(
    text,
  )

/** In the words of Ollama, OpenRouter, vLLM, llama.cpp, Groq, Mistral, Google, DeepSeek. */
const refusesTools = (text: string): boolean =>
  /\b(?:does not|doesn['’]t|do not|don['’]t|not) support (?:the )?(?:tools?\b|tool[ _-]?(?:use|call|choice)|function[ _-]?call)|support tool use|(?:tool[ _-]?(?:use|call(?:s|ing)?|choice)|tools|function[ _-]?call(?:s|ing)?)[`'"]? (?:is|are) not (?:supported|enabled|available)|--enable-auto-tool-choice|tools? param(?:eter)? requires/i.test(
    text,
  )

/** What an error says: its message, and the server's answer where it adds something. Never request, headers or URL. */
function wordsOf(value: unknown, redact: Redact): readonly string[] {
  // A whole page is cut before it is looked through, but never inside what is kept of it.
  const clean = (word: string) => redact(word.slice(0, maxWords * 2)).slice(0, maxWords)
  if (typeof value === 'string') return [clean(value)]
  if (!isShape(value)) return []
  const words: string[] = []
  if (typeof value['message'] === 'string') words.push(value['message'])
  if (typeof value['responseBody'] === 'string') words.push(value['responseBody'])
  if (typeof value['code'] === 'string') words.push(value['code'])
  return words.map((word) => clean(word).trim()).filter((word) => word !== '')
}

function detailOf(status: number | null, words: readonly string[]): string {
  const distinct = [...new Set(words)]
  const lines = status === null ? distinct : [`status ${status}`, ...distinct]
  return cutBytes(redactSecrets(lines.join('\n')), maxDetailBytes)
}

/** At most `maxBytes` of UTF-8, cut between characters. */
function cutBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return text
  const cut = new TextDecoder().decode(bytes.subarray(0, maxBytes - 3))
  return `${cut.replace(/\uFFFD+$/, '')}…`
}
