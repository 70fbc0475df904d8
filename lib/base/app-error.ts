import type { JsonObject } from './json'

/**
 * Error codes for our own failures and for mistakes of the caller. Each surface maps all of them in one table (HTTP:
 * app/api/respond.ts).
 */
export type AppErrorCode =
  | 'bad-request'
  /** The caller is not signed in, or not signed in as the account that their page shows. */
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

// Next bundles every entry (a route, the instrumentation) with its own copy of this file, and the server is created in
// one of them. An error made by one copy must be recognized by the others.
const brand = Symbol.for('nod.AppError')

/**
 * Why something was refused: the message key with its values, and the message's text. On a server (logs, the API) and
 * in workers the text is English; a page renders it in its reader's language (`refusalText`).
 */
export interface Refusal<R extends string = string> {
  readonly reason: R
  readonly values: JsonObject
  readonly message: string
}

export interface AppErrorOptions {
  readonly cause?: unknown
  readonly headId?: string | null
  /** When the same request may succeed if it is sent again; set only for failures that time alone fixes. */
  readonly retryAfterSeconds?: number
}

/**
 * An unexpected failure or a refusal. `code` says how it is handled; `reason` with `values` identifies the message in
 * any language; `message` is the text in this realm's language, with what to do where possible. `makeError`
 * (lib/i18n/t.ts) creates one from a message key.
 */
export class AppError extends Error implements Refusal {
  readonly code: AppErrorCode
  readonly reason: string
  readonly values: JsonObject
  /**
   * The current head of the chat, in a `conflict` with a request that assumed another head; null: before the first
   * message.
   */
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
 * Page event: a sealed frame stopped responding and was removed. Sealed frames share one process, which ends with the
 * last of them, so code that keeps an idle frame should release it.
 */
export const frameHung = 'nod-frame-hung'

/** The thrown value as text for a sentence. JavaScript can throw any value. */
export const errorText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
