import { makeError } from '@/lib/i18n/t'
import type { TokenPrice } from './model'
import type { ExactServerName } from './exact/exact-forms'
import { vendors, type VendorKind } from './vendors'
import { type JsonObject, isRecord } from '@/lib/base/json'

/** What the operator adds to each request to a model server. */
export interface RequestExtras {
  readonly headers: Readonly<Record<string, string>>
  /** Fields at the top of each request for a reply; null removes a field. */
  readonly body: JsonObject
  /** Those of the headers’ values that are secrets: they are never shown. */
  readonly secrets: readonly string[]
}

/** Headers of the connection itself: setting them breaks the request. */
export const reservedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
])

/** Fields that define the request, which must not be changed. */
export const reservedFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'contents',
  'stream',
  'tools',
])

/** The same `fetch` with the operator’s headers in each request and the operator’s fields in each JSON body. */
export function withExtras(fetch: typeof globalThis.fetch, extras: RequestExtras | undefined): typeof globalThis.fetch {
  if (!extras) return fetch
  return (input, init) => {
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries(extras.headers)) headers.set(name, value)
    const { body } = init ?? {}
    return fetch(input, { ...init, headers, ...(typeof body === 'string' && { body: withFields(body, extras.body) }) })
  }
}

function withFields(text: string, fields: JsonObject): string {
  if (Object.keys(fields).length === 0) return text
  const body: unknown = JSON.parse(text)
  if (!isRecord(body)) return text
  const all = Object.entries({ ...body, ...fields }).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(all))
}

/** A model that the operator named, e.g. `{ name: 'qwen3:8b', label: 'Qwen 3', contextTokens: 32768 }`. */
export interface ConfiguredModel {
  readonly name: string
  readonly label: string | null
  readonly contextTokens: number | null
  /** Accepts images; left out: by its name if the vendor is known, else not. */
  readonly vision?: boolean
  /** Left out: unknown. */
  readonly price?: TokenPrice
}

export const configuredModel = (name: string): ConfiguredModel => ({ name, label: null, contextTokens: null })

export const defaultModels = (kind: VendorKind): readonly ConfiguredModel[] => vendors[kind].models.map(configuredModel)

interface Common {
  /** The part of a model id before the first slash. */
  readonly id: string
  /** For sentences: "OpenAI", "LM Studio". */
  readonly label: string
  /** Left out: requests are unchanged. */
  readonly extras?: RequestExtras
}

/** Any server that speaks the OpenAI chat API: LM Studio, vLLM, llama.cpp, OpenRouter, DeepSeek. */
export interface OpenAICompatibleConfig extends Common {
  readonly kind: 'openai-compatible'
  /** Up to and including `/v1`, no trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string | null
  /** Null: the server is asked by `GET /models`. */
  readonly models: readonly ConfiguredModel[] | null
  /** Which server it is; left out: its list may tell. */
  readonly server?: ExactServerName
}

export interface OllamaConfig extends Common {
  readonly kind: 'ollama'
  /** Without `/v1`, no trailing slash. */
  readonly baseUrl: string
  /** True if nobody configured it: its absence is then no problem to report. */
  readonly silent: boolean
}

/** The big APIs with their own packages. `baseUrl` is null for the vendor's own address. */
export interface VendorConfig extends Common {
  readonly kind: VendorKind
  readonly apiKey: string
  readonly baseUrl: string | null
  readonly models: readonly ConfiguredModel[]
}

export type ProviderConfig = OpenAICompatibleConfig | OllamaConfig | VendorConfig

/** If the operator gave a list, a name outside it is refused with a sentence (`AppError` `unknown-model`). */
export function requireConfigured(provider: Common, models: readonly ConfiguredModel[] | null, name: string): void {
  if (models === null || models.some((model) => model.name === name)) return
  throw makeError('unknown-model', 'models.not-offered', { name, provider: provider.label })
}
