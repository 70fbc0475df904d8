import type { JsonObject } from '@/lib/base/json'
import type { AppErrorCode } from '@/lib/base/app-error'

/*
 * The messages between the page and the frame around the worker, beside the port for the messages of worker and page.
 */

/** Sent once, with the port. */
export interface FrameStart {
  /** Address of the worker's script, on this host. */
  readonly worker: string
}

/** Messages of the frame itself; all others on the port are the worker's. */
export type FrameMessage = { readonly frame: 'started' } | { readonly frame: 'broken'; readonly message: string }

export const isFrameMessage = (data: unknown): data is FrameMessage =>
  typeof data === 'object' && data !== null && 'frame' in data

/** Weights that this browser stores, in full or in part; the page can also read them as a file. */
export interface StoredWeights {
  /** The id of its files in the browser's storage. */
  readonly id: string
  /** The file's original name. */
  readonly name: string
  /** Null: a copy of a file that was picked. */
  readonly address: string | null
  readonly bytes: number
  /** How many bytes are stored. */
  readonly keptBytes: number
  readonly isWhole: boolean
}

/** What is known of weights before they are downloaded. */
export interface WeightsSeen {
  readonly name: string
  /** The download address; if the user gave a page about a file, the file's own address. */
  readonly address: string
  readonly bytes: number
  /** How many bytes are stored from before. */
  readonly keptBytes: number
}

export interface LoadedModel {
  /** The name in the file; else the file's name. */
  readonly name: string
  readonly windowTokens: number
  readonly threads: number
  /** It has no chat template of its own; llama.cpp's default is used. */
  readonly isWithoutTemplate: boolean
}

export interface ChatTurn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** Sampling options; llama.cpp's defaults apply if left out. */
export interface WriteOptions {
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
  readonly seed?: number
  readonly stop?: readonly string[]
  /** GBNF, from the first token on. Not together with a schema, which would silently win. */
  readonly grammar?: string
  readonly jsonSchema?: JsonObject
}

/** Numbers of one reply, in tokens. */
export interface WriteEnd {
  readonly reason: 'stop' | 'length'
  readonly read: number | null
  /** The part of the prompt that was in memory from the previous reply. */
  readonly reused: number | null
  readonly written: number | null
}

/** The page's requests to the worker; every request has one response. */
export type WllamaWorkerRequest =
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

/** Progress messages before a response. */
export type WllamaNotice =
  /** Bytes that were downloaded, copied or loaded. */
  | { readonly kind: 'bytes'; readonly done: number; readonly total: number }
  /** Tokens of the prompt that were read. */
  | { readonly kind: 'prefill'; readonly read: number; readonly total: number }
  | { readonly kind: 'text'; readonly text: string }

export interface WllamaFailure {
  readonly code: AppErrorCode
  readonly reason: string
  readonly values: JsonObject
  readonly message: string
}

export type WllamaRequest =
  | { readonly id: number; readonly ask: WllamaWorkerRequest }
  /** Ends the request with that id; its response still comes. */
  | { readonly id: number; readonly stop: true }

export type WllamaReply =
  | { readonly id: number; readonly notice: WllamaNotice }
  | { readonly id: number; readonly answer: WllamaAnswers[keyof WllamaAnswers] }
  | { readonly id: number; readonly failed: WllamaFailure }
  /** It ended because it was stopped. */
  | { readonly id: number; readonly stopped: true }

/**
 * llama.cpp as WebAssembly, beside its worker; the name contains the version of its package, so that browsers cache it
 * permanently.
 */
export const wllamaWasm = 'wllama-3.8.1.wasm'
