import type { JsonObject } from '@/lib/base/json'
import type { AppErrorCode } from '@/lib/base/app-error'

/** Weights that this browser keeps, whole or so far; the page can read them as a file, too. */
export interface StoredWeights {
  /** Of its place in the browser's storage. */
  readonly id: string
  /** The file's name, as it was called where it came from. */
  readonly name: string
  /** Null: a copy of a file that was picked. */
  readonly address: string | null
  readonly bytes: number
  /** How much of it is here. */
  readonly keptBytes: number
  readonly isWhole: boolean
}

/** What is known of weights before they are fetched. */
export interface WeightsSeen {
  readonly name: string
  /** Where they are fetched from: of a page about a file, the file's own. */
  readonly address: string
  readonly bytes: number
  /** How much of them is here from before. */
  readonly keptBytes: number
}

export interface LoadedModel {
  /** As the file calls itself; else the file's name. */
  readonly name: string
  readonly windowTokens: number
  readonly threads: number
  /** It brings no form of its own for chats; llama.cpp's usual one is taken. */
  readonly isWithoutTemplate: boolean
}

export interface ChatTurn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What is asked of the sampler; what is left out is llama.cpp's own choice. */
export interface WriteOptions {
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
  readonly seed?: number
  readonly stop?: readonly string[]
  /** GBNF, from the first token on. Not together with a schema, which would win without a word. */
  readonly grammar?: string
  readonly jsonSchema?: JsonObject
}

/** Of one reply, in tokens. */
export interface WriteEnd {
  readonly reason: 'stop' | 'length'
  readonly read: number | null
  /** Of the prompt, what was in memory from the reply before. */
  readonly reused: number | null
  readonly written: number | null
}

/** What the page asks of the worker; every ask has one answer. */
export type WllamaAsk =
  | { readonly ask: 'look'; readonly address: string }
  | { readonly ask: 'fetch'; readonly address: string }
  | { readonly ask: 'keep'; readonly file: File }
  | { readonly ask: 'load'; readonly file: File; readonly windowTokens: number | null; readonly threads: number }
  | { readonly ask: 'write'; readonly turns: readonly ChatTurn[]; readonly options: WriteOptions }

export interface WllamaAnswers {
  readonly look: WeightsSeen
  readonly fetch: StoredWeights
  readonly keep: StoredWeights
  readonly load: LoadedModel
  readonly write: WriteEnd
}

/** What is told on the way to an answer. */
export type WllamaNotice =
  /** Bytes that were fetched, copied or loaded. */
  | { readonly told: 'bytes'; readonly done: number; readonly total: number }
  /** Tokens of the prompt that were read. */
  | { readonly told: 'prefill'; readonly read: number; readonly total: number }
  | { readonly told: 'text'; readonly text: string }

export interface WllamaFailure {
  readonly code: AppErrorCode
  readonly reason: string
  readonly values: JsonObject
  readonly message: string
}

export type WllamaRequest =
  | { readonly id: number; readonly ask: WllamaAsk }
  /** Ends what was asked by that id; its answer still comes. */
  | { readonly id: number; readonly stop: true }

export type WllamaReply =
  | { readonly id: number; readonly told: WllamaNotice }
  | { readonly id: number; readonly answer: WllamaAnswers[keyof WllamaAnswers] }
  | { readonly id: number; readonly failed: WllamaFailure }
  /** It ended because it was stopped. */
  | { readonly id: number; readonly stopped: true }

/** llama.cpp as WebAssembly, beside its worker; the name carries the version of its package, so that browsers keep it for good. */
export const wllamaWasm = 'wllama-3.8.1.wasm'
