import type { JsonObject } from './json'

/** Codes of our own and the caller's mistakes. One exhaustive table per surface maps them (HTTP: app/api/respond.ts). */
export type AppErrorCode =
  | 'bad-request'
  /** Who asks is not signed in, or not as the one that their page shows. */
  | 'signed-out'
  | 'forbidden'
  | 'too-large'
  | 'not-found'
  | 'conflict'
  | 'run-in-progress'
  | 'unknown-model'
  | 'unknown-strategy'
  | 'call-not-open'
  | 'rate-limited'
  | 'over-budget'
  | 'storage-full'
  | 'unavailable'
  | 'internal'

// Next bundles every entry (a route, the instrumentation) with its own copy of this file, and the server is made in one
// of them: an error of one copy must be known by the others.
const brand = Symbol.for('nod.AppError')

/**
 * Why something was refused: the key of a message with its values, and the message's text. On a server (logs, the API) and in
 * workers the text is English; a page renders it in its reader's language (`refusalText`).
 */
export interface Refusal<R extends string = string> {
  readonly reason: R
  readonly values: JsonObject
  readonly message: string
}

export interface AppErrorOptions {
  readonly cause?: unknown
  readonly headId?: string | null
  /** When the same may be asked again with hope; for what time alone mends. */
  readonly retryAfterSeconds?: number
}

/**
 * Unexpected or refused: `code` says how it is handled, `reason` with `values` what is said of it, in whatever language, and
 * `message` says it to whom this realm speaks, with the way out where there is one. `makeError` (lib/i18n/t.ts) makes one of a message’s key.
 */
export class AppError extends Error implements Refusal {
  readonly code: AppErrorCode
  readonly reason: string
  readonly values: JsonObject
  /** Where the chat ends now, in a `conflict` with a request that took it to end elsewhere; null: before its first message. */
  readonly headId?: string | null
  readonly retryAfterSeconds?: number
  readonly [brand] = true
  constructor(code: AppErrorCode, { reason, values, message }: Refusal, options?: AppErrorOptions) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
    this.reason = reason
    this.values = values
    if (options?.headId !== undefined) this.headId = options.headId
    if (options?.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/**
 * An event of the page: a sealed frame stopped answering and was taken away. Sealed frames share one process, which ends
 * with the last of them, so anyone who keeps an idle one lets it go.
 */
export const frameHung = 'nod-frame-hung'

/** What was thrown, as text for a sentence: anything can be thrown. */
export const errorText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
