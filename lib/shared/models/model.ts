import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Refusal } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import type { StoredText } from '@/lib/i18n/stored-text'
import type { ExactOffer } from './exact/exact-forms'
import type { MonotonicClock } from '@/lib/base/clocks'

/** `provider/name`, e.g. `demo/demo`, `ollama/qwen3:8b`, `openai/gpt-5`. */
export type ModelId = string

export interface ModelInfo {
  readonly id: ModelId
  /** Its server's name for it: "qwen3:8b"; people see `modelLabel`. */
  readonly label: string
  /** For sentences: "Ollama", "OpenAI"; for a browser model people see `providerName`. */
  readonly providerLabel: string
  readonly contextTokens: number | null
  /** Left out: unknown, so it gets no images. */
  readonly seesImages?: boolean
  /** True only for the demo: it says that it is a script. */
  readonly simulated: boolean
  /** Left out: its server supports no grammar, as far as known. */
  readonly exact?: ExactOfModel
  /** Set by the operator; left out: unknown. */
  readonly price?: TokenPrice
}

/** The price of a million tokens, sent and written, in any one currency. */
export interface TokenPrice {
  readonly perMillionIn: number
  readonly perMillionOut: number
}

/** How far a model's server can constrain it to the format of a call. */
export interface ExactOfModel {
  /** A grammar expresses any strategy but Native, a schema only JSON_Action. */
  readonly takes: 'grammar' | 'json-schema' | 'unknown'
  /** It is used in chats without a setting for it. */
  readonly byDefault: boolean
  /** The latest finding of this process; left out: not tested lately. */
  readonly found?: 'honoured' | 'half' | 'ignored' | 'refused'
}

export interface ModelList {
  readonly models: readonly ModelInfo[]
  readonly defaultModel: ModelId
  /** Mistakes of the configuration and sources that did not answer, each a sentence without secrets. */
  readonly problems: readonly Refusal[]
}

/** A source of models. Hosts come from the operator's configuration only, never from a user. */
export interface ModelProvider {
  readonly id: string
  readonly label: string
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>
  /** Nobody asked for this source: if this address has no list, that is no problem. */
  readonly triedAt?: string
  /**
   * For a source whose list needs no response of its server: rejects if that server can't be reached or refuses the key
   * now. The list stays valid.
   */
  check?(signal: AbortSignal): Promise<void>
  /** `fields`: added to each request; only for a provider that has `exact`. */
  languageModel(name: string, fields?: JsonObject): LanguageModelV4
  /** The ways to constrain replies that may be tried, as far as known without a request; left out: none. */
  exact?(name: string): ExactOffer | null
}

/** Why a model could not answer; rows, files and tabs use only these. */
export const failureCodes = [
  'unreachable',
  'unauthorised',
  'rate-limited',
  'not-found',
  'server-error',
  'bad-response',
  'stalled',
  'too-long',
  'refused',
  'unknown',
] as const

/**
 * Why a reply failed, for people: a sentence, what is safe, the way out; `renderStoredText` formats it. `detail`, in the words
 * of the model's server, shows only behind "Details".
 */
export interface ModelFailure extends StoredText {
  readonly code: (typeof failureCodes)[number]
  readonly detail: string
}

/**
 * A model whose package is imported at its first call, so that a start does not load providers that are not used. A
 * failed load is tried again at the next call.
 */
export function createLazyModel(
  provider: string,
  modelId: string,
  load: () => Promise<LanguageModelV4>,
): LanguageModelV4 {
  let loaded: Promise<LanguageModelV4> | null = null
  const model = (): Promise<LanguageModelV4> => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null
      throw error
    })
    return loaded
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => (await model()).doGenerate(options),
    doStream: async (options) => (await model()).doStream(options),
  }
}

/** The ports for requesting a model server's list. */
export interface ListingPorts {
  readonly fetch: typeof globalThis.fetch
  readonly monotonic: MonotonicClock
}

type LoadModels = (signal: AbortSignal) => Promise<readonly ModelInfo[]>

/**
 * A failure is cached for this long at most: anyone who started the server meanwhile presses "Try again" and means it.
 */
const failureKeptMs = 2_000

/**
 * Caches a server's response for `keepMs`, and shares one request between callers. A failure is cached for
 * `failureKeptMs` from when it is known, so that a dead server costs a few timeouts and not one per visitor. The
 * request has its own timeout; a caller's signal ends only the caller's waiting.
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
