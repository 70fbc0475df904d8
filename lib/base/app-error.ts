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

/** Unexpected or refused: `message` is a sentence that a person may read, with the way out where there is one. */
export class AppError extends Error {
  readonly code: AppErrorCode
  constructor(code: AppErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
  }
}
