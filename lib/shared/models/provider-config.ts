import { makeError } from '@/lib/i18n/t'
import type { TokenPrice } from './model'
import type { ExactServerName } from './exact/exact-servers'
import type { RequestExtras } from './request-extras'
import { vendors, type VendorKind } from './vendors'

/** A model that the operator named, e.g. `{ name: 'qwen3:8b', label: 'Qwen 3', contextTokens: 32768 }`. */
export interface ConfiguredModel {
  readonly name: string
  readonly label: string | null
  readonly contextTokens: number | null
  /** Takes pictures; left out: by its name where the vendor is known, else not. */
  readonly vision?: boolean
  /** Left out: nobody says. */
  readonly price?: TokenPrice
}

export const configuredModel = (name: string): ConfiguredModel => ({ name, label: null, contextTokens: null })

export const defaultModels = (kind: VendorKind): readonly ConfiguredModel[] => vendors[kind].models.map(configuredModel)

interface Common {
  /** The part of a model id before the first slash. */
  readonly id: string
  /** For sentences: "OpenAI", "LM Studio". */
  readonly label: string
  /** Left out: requests are as Nod makes them. */
  readonly extras?: RequestExtras
}

/** Any server that speaks the OpenAI chat API: LM Studio, vLLM, llama.cpp, OpenRouter, DeepSeek. */
export interface OpenAICompatibleConfig extends Common {
  readonly kind: 'openai-compatible'
  /** Up to and including `/v1`, no slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string | null
  /** null: the server is asked by `GET /models`. */
  readonly models: readonly ConfiguredModel[] | null
  /** Which server it is; left out: its list may tell. */
  readonly server?: ExactServerName
}

export interface OllamaConfig extends Common {
  readonly kind: 'ollama'
  /** Without `/v1`, no slash at the end. */
  readonly baseUrl: string
  /** True when nobody asked for it: its absence is then no problem to report. */
  readonly silent: boolean
}

/** The big APIs by their own packages. `baseUrl` is null for the vendor's own address. */
export interface VendorConfig extends Common {
  readonly kind: VendorKind
  readonly apiKey: string
  readonly baseUrl: string | null
  readonly models: readonly ConfiguredModel[]
}

export type ProviderConfig = OpenAICompatibleConfig | OllamaConfig | VendorConfig

/** Where the operator gave a list, a name outside it is refused with a sentence (`AppError` `unknown-model`). */
export function requireConfigured(provider: Common, models: readonly ConfiguredModel[] | null, name: string): void {
  if (models === null || models.some((model) => model.name === name)) return
  throw makeError('unknown-model', 'models.not-offered', { name, provider: provider.label })
}
