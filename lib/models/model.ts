import type { LanguageModelV4 } from '@ai-sdk/provider'

/** `provider/name`, e.g. `demo/demo`, `ollama/qwen3:8b`, `openai/gpt-5`. */
export type ModelId = string

export interface ModelInfo {
  readonly id: ModelId
  /** For the picker: "Demo (a script)", "qwen3:8b". */
  readonly label: string
  /** For sentences: "Ollama", "OpenAI". */
  readonly providerLabel: string
  readonly contextTokens: number | null
  /** Left out: not known to, so it is sent no images. */
  readonly seesImages?: boolean
  /** True only for the demo: it says that it is a script. */
  readonly simulated: boolean
}

/** A source of models. Hosts come from the operator's configuration only, never from a user. */
export interface ModelProvider {
  readonly id: string
  readonly label: string
  list(signal: AbortSignal): Promise<readonly ModelInfo[]>
  /**
   * For a source whose list needs no answer of its server: rejects when that server can't be reached or refuses the key
   * now. The list stands all the same.
   */
  check?(signal: AbortSignal): Promise<void>
  languageModel(name: string): LanguageModelV4
}

/** Why a reply failed, for people: a sentence, what is safe, the way out. `detail` only shows behind "Details". */
export interface ModelFailure {
  readonly code:
    | 'unreachable'
    | 'unauthorised'
    | 'rate-limited'
    | 'not-found'
    | 'server-error'
    | 'bad-response'
    | 'stalled'
    | 'too-long'
    | 'refused'
    | 'unknown'
  readonly message: string
  readonly detail: string
}
