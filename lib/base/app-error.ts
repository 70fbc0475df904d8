/** Codes of our own and the caller's mistakes. One exhaustive table per surface maps them (HTTP: app/api/respond.ts). */
export type AppErrorCode =
  | 'bad-request'
  | 'too-large'
  | 'not-found'
  | 'conflict'
  | 'run-in-progress'
  | 'unknown-model'
  | 'unknown-strategy'
  | 'call-not-open'
  | 'rate-limited'
  | 'unavailable'
  | 'internal'

// Next bundles every entry (a route, the instrumentation) with its own copy of this file, and the server is made in one
// of them: an error of one copy must be known by the others.
const brand = Symbol.for('nod.AppError')

/** Unexpected or refused: `message` is a sentence that a person may read, with the way out where there is one. */
export class AppError extends Error {
  readonly code: AppErrorCode
  /** Where the chat ends now, in a `conflict` with a request that took it to end elsewhere; null: before its first message. */
  readonly headId?: string | null
  readonly [brand] = true
  constructor(code: AppErrorCode, message: string, options?: { cause?: unknown; headId?: string | null }) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
    if (options?.headId !== undefined) this.headId = options.headId
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }
}
