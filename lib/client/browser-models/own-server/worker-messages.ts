import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'

/* The messages between the page and the worker that talks to foreign hosts. */

/** One model of a server with an OpenAI-compatible API. */
export interface ModelOfServer {
  /** The address under which `/chat/completions` is. */
  readonly baseUrl: string
  readonly key: string | null
  readonly name: string
  /** Included in each of its requests, at the top level of the body. */
  readonly fields?: JsonObject
}

export type ToModelsWorker =
  | {
      readonly type: 'fetch'
      readonly id: number
      readonly url: string
      readonly method: string
      readonly headers: readonly (readonly [string, string])[]
      readonly body: string | null
      /** `no-cors` checks whether anything answers at all: its response can't be read. */
      readonly mode: 'cors' | 'no-cors'
    }
  | {
      readonly type: 'stream'
      readonly id: number
      readonly model: ModelOfServer
      readonly options: Omit<LanguageModelV4CallOptions, 'abortSignal'>
    }
  | { readonly type: 'abort'; readonly id: number }

/**
 * An error as data, without address and key of the server; `status` and the fields after it come from a server's
 * response.
 */
export interface LocalizedError {
  readonly name: string
  readonly message: string
  readonly cause?: LocalizedError
  /** For an error inside a stream: the server's own name for its kind. */
  readonly code?: string | number
  readonly type?: string
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type FromModelsWorker =
  | {
      readonly type: 'answer'
      readonly id: number
      /** 0: the response can't be read. */
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
      /** Its beginning. */
      readonly text: string
    }
  | { readonly type: 'part'; readonly id: number; readonly part: LanguageModelV4StreamPart }
  /** A part of the stream that is an error. */
  | { readonly type: 'error'; readonly id: number; readonly error: LocalizedError }
  | { readonly type: 'end'; readonly id: number }
  /** `blocked`: the worker's own policy does not let it reach the host. */
  | { readonly type: 'failed'; readonly id: number; readonly error: LocalizedError; readonly blocked: boolean }

/** A worker, as the page sees it. */
export interface ModelsWorkerPort {
  postMessage(message: ToModelsWorker): void
  addEventListener(type: 'message', listener: (event: { readonly data: FromModelsWorker }) => void): void
  addEventListener(type: 'error', listener: () => void): void
  terminate(): void
}
