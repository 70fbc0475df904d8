import { mentionsKey } from '@/lib/base/json'
import { type Redact, redactSecrets } from './redact-keys'
import type { ModelFailure } from './model'
import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'

/** The exact reason, if a sentence can say more than the code does. */
export type FailureReason =
  | ModelFailure['code']
  | 'no-tools'
  | 'no-credit'
  | 'moderated'
  | 'region'
  | 'wrong-address'
  | 'web-page'
  | 'broke-off-early'
  | 'loading'
  | 'wordless'

export interface FailureFacts {
  readonly code: ModelFailure['code']
  readonly reason: FailureReason
  /** The HTTP status if there was a response. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
  readonly detail: string
}

const maxDetailBytes = 2_048
/** A server may answer with a whole page; more than this is not read. */
const maxWords = 8_192
const maxCauses = 6

/**
 * Errors of the AI SDK, of fetch and of servers that report an error inside a stream, recognized by structure and not
 * by class: several copies of a package may be loaded, and in-stream errors are plain objects or strings. `redact` gets
 * every text before it is cut or read.
 */
export function readFailure(error: unknown, redact: Redact = (text) => text): FailureFacts {
  const chain = causesOf(error)
  const status = firstOf(chain, statusOf)
  const words = chain.flatMap((value) => wordsOf(value, redact))
  const retryAfterSeconds = firstOf(chain, retryAfterOf) ?? (status === 429 ? retryAfterIn(words) : null)
  const reason = reasonOf({ names: chain.flatMap(namesOf), status, text: words.join('\n'), retryAfterSeconds })
  return {
    code: codes[reason] ?? (reason as ModelFailure['code']),
    reason,
    status,
    retryAfterSeconds,
    detail: detailOf(status, words),
  }
}

/** For the reasons that are no code. */
const codes: Readonly<Partial<Record<FailureReason, ModelFailure['code']>>> = {
  'no-tools': 'refused',
  'no-credit': 'rate-limited',
  moderated: 'refused',
  region: 'refused',
  'wrong-address': 'not-found',
  'web-page': 'bad-response',
  'broke-off-early': 'bad-response',
  loading: 'server-error',
  wordless: 'stalled',
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

const soon = (seconds: number): number | null => (Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null)

function retryAfterOf(value: Shape): number | null {
  const headers = value['responseHeaders']
  if (!isShape(headers)) return null
  const retryAfter = headers['retry-after']
  // A date is compared with the server's own clock.
  const until =
    typeof retryAfter === 'string' ? Date.parse(retryAfter) - Date.parse(String(headers['date'])) : Number.NaN
  return soon(Number(headers['retry-after-ms']) / 1000) ?? soon(Number(retryAfter ?? Number.NaN)) ?? soon(until / 1000)
}

/** In the words of OpenAI, Groq and Google. */
function retryAfterIn(words: readonly string[]): number | null {
  const found = /(?:try again|retry) (?:in|after) (?:(\d{1,3})m)?(\d{1,6}(?:\.\d{1,9})?) ?(ms|s\b|sec)/i.exec(
    words.join('\n'),
  )
  if (!found) return null
  const [, minutes = '0', number = '', unit] = found
  return soon(Number(minutes) * 60 + Number(number) / (unit === 'ms' ? 1000 : 1))
}

const namesOf = (value: unknown): readonly unknown[] =>
  isShape(value) ? [value['name'], value['code'], value['type']] : []

interface Said {
  readonly names: readonly unknown[]
  readonly status: number | null
  readonly text: string
  readonly retryAfterSeconds: number | null
}

function reasonOf({ names, status, text, retryAfterSeconds }: Said): FailureReason {
  const named = (pattern: RegExp) => names.some((name) => typeof name === 'string' && pattern.test(name))

  if (refusesTools(text)) return 'no-tools'
  // The watcher of a silent stream aborts with one of these.
  if (named(/^WordlessError$/)) return 'wordless'
  if (named(/^(StalledError|TimeoutError)$/) || named(/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/)) return 'stalled'
  // These two contain text of a body, which is no message about a failure.
  if (named(/^web_page$/)) return 'web-page'
  if (named(/^not_a_reply$/)) return 'bad-response'
  if ((status === null || status < 500) && isTooLong(text)) return 'too-long'
  // A server that says when to try again has not run out of credit.
  if (status === 402 || (retryAfterSeconds === null && mentionsCredit(text))) return 'no-credit'
  if (status === 401 || named(/^(AI_LoadAPIKeyError|authentication_error|invalid_api_key)$/)) return 'unauthorised'
  if (status === 403) return reasonOfForbidden(text)
  if (status === 404 || status === 405) return status === 405 || mentionsAddress(text) ? 'wrong-address' : 'not-found'
  // 524: Cloudflare's.
  if (status === 408 || status === 504 || status === 524) return 'stalled'
  if (status === 413) return 'too-long'
  if (status === 429 || (status === null && mentionsRate(text)) || named(/^(rate_limit_error|rate_limit_exceeded)$/))
    return 'rate-limited'
  if (status === 503 && isLoading(text)) return 'loading'
  if (status !== null) return status >= 500 ? 'server-error' : 'refused'
  if (named(/^broke_off$/)) return 'broke-off-early'
  if (named(networkCode) || networkWords.test(text)) return 'unreachable'
  if (named(/^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|InvalidStreamPart)Error$/)) {
    return 'bad-response'
  }
  if (named(/^(SyntaxError|ZodError|\$ZodError|AI_APICallError|NoListError)$/)) return 'bad-response'
  if (named(/^(invalid_request|bad_request|not_supported)_error$/)) return 'refused'
  // A server's name for an error inside its stream; errors of programs have other names.
  return named(/^[a-z_]+_error$/) ? 'server-error' : 'unknown'
}

/** A 403 is about the key only if its text says so. */
function reasonOfForbidden(text: string): FailureReason {
  if (/moderat|flagged|content polic|usage polic|safety/i.test(text)) return 'moderated'
  if (/\b(?:region|country|territory|location)\b/i.test(text)) return 'region'
  if (/credit|balance|billing|payment|quota/i.test(text)) return 'no-credit'
  return mentionsKey(text) ? 'unauthorised' : 'refused'
}

/** In the words of LM Studio, FastAPI, Go, Express, nginx and Azure; texts that mention a model are about it. */
function mentionsAddress(text: string): boolean {
  if (/no endpoints found|deployment/i.test(text)) return false
  if (/\b(?:end ?point|route|path|url|page|resource|cannot (?:post|get))\b|<html|<!doctype/i.test(text)) {
    return !/\bmodel\b/i.test(text.replaceAll(/\/models?\b/gi, ''))
  }
  return /^\W*(?:detail|message|error)?\W*not found\W*$/im.test(text)
}

/** In the words of OpenAI, DeepSeek, OpenRouter and Anthropic. */
const mentionsCredit = (text: string): boolean =>
  /insufficient[ _](?:quota|balance|credits?|funds)|exceeded your current quota|credit balance is too low|not enough credits|余额不足|欠费|额度(?:已)?(?:不足|用[尽完])/i.test(
    text,
  )

const mentionsRate = (text: string): boolean =>
  /rate limit (?:reached|exceeded)|too many requests|速率限制|请求过于频繁|并发.{0,6}限制/i.test(text)

/** In the words of llama.cpp and Hugging Face. */
const isLoading = (text: string): boolean => /\bloading\b.{0,60}\bmodel\b|\bmodel\b.{0,200}\bloading\b/is.test(text)

const networkCode =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|DEPTH_ZERO_SELF_SIGNED_CERT)$/
/**
 * undici says "terminated" when a server hangs up inside a body. A browser only says that it failed: Chromium "Failed
 * to fetch" and "network error" (inside a body), Firefox "NetworkError when …" and "Error in input stream", Safari
 * "Load failed".
 */
const networkWords =
  /cannot connect to api|fetch failed|failed to fetch|socket hang up|other side closed|^terminated$|^network ?error\b|^error in input stream$|^load failed$/im

/** In the words of OpenAI, Anthropic, Google, vLLM, llama.cpp and Ollama. */
const isTooLong = (text: string): boolean =>
  /context[ _]length|context window|context size|maximum context|prompt is too long|too many tokens|input token count.{0,40}exceeds|exceed(s|ed)?.{0,20}context|num_ctx|上下文.{0,12}(?:长度|限制|超)|(?:输入|长度).{0,20}超[过出].{0,20}(?:最大|限制)/i.test(
    text,
  )

/** In the words of Ollama, OpenRouter, vLLM, llama.cpp, Groq, Mistral, Google, DeepSeek. */
const refusesTools = (text: string): boolean =>
  /\b(?:does not|doesn['’]t|do not|don['’]t|not) support (?:the )?(?:tools?\b|tool[ _-]?(?:use|call|choice)|function[ _-]?call)|support tool use|(?:tool[ _-]?(?:use|call(?:s|ing)?|choice)|tools|function[ _-]?call(?:s|ing)?)[`'"]? (?:is|are) not (?:supported|enabled|available)|--enable-auto-tool-choice|tools? param(?:eter)? requires/i.test(
    text,
  )

/** The text of an error: its message, and the server's response if it adds something. Never request, headers or URL. */
function wordsOf(value: unknown, redact: Redact): readonly string[] {
  // A whole page is cut before it is searched, but never inside the part that is kept.
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

type Unified = LanguageModelV4FinishReason['unified']

/** By kind, in the words of servers; case, spaces, hyphens and punctuation don't count. */
const reasons: Readonly<Partial<Record<Unified, string>>> = {
  // OpenAI, Hugging Face, Together, Anthropic, Bedrock, Cohere, Google, Baidu, Ollama.
  stop: 'stop eos eos_token eos_found eot_id end_turn stop_sequence stop_token stop_string stopped end end_of_text endoftext im_end complete completed done finished normal success pause_turn',
  'tool-calls': 'tool_calls tool_call tool_use function_call function_calls',
  // And Mistral, Zhipu.
  length:
    'length max_tokens max_length max_output_tokens max_new_tokens max_completion_tokens model_length limit token_limit length_limit model_context_window_exceeded context_length_exceeded context_window_exceeded',
  'content-filter':
    'content_filter content_filtered guardrail_intervened sensitive safety recitation blocklist prohibited_content spii image_safety error_toxic refusal',
}

const known: ReadonlyMap<string, Unified> = new Map(
  Object.entries(reasons).flatMap(([unified, names]) => names.split(' ').map((name) => [name, unified as Unified])),
)

/**
 * The meaning of a server’s finish reason. Only reasons that are known to be good count as such: “error”, “abort”,
 * “network_error” and all unknown ones are `other`.
 */
export const meaningOf = (reason: string): Unified =>
  known.get(
    reason
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
      .replaceAll(/[^a-z0-9_]/g, ''),
  ) ?? 'other'
