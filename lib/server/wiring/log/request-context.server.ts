import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestSpan } from './traced-request'

/** The log fields of the current request. */
export interface RequestContext {
  readonly id: string
  /** A hash of the owner, once known; the same on every node with this secret. Computed when it is logged. */
  owner?: () => string
  /** Set if tracing is enabled. */
  readonly span?: RequestSpan
}

/** On globalThis: set in one bundle and read in all of them. */
const key = Symbol.for('nod.request')
const slot = globalThis as typeof globalThis & { [key]?: AsyncLocalStorage<RequestContext> }
const storage = (): AsyncLocalStorage<RequestContext> => (slot[key] ??= new AsyncLocalStorage())

/** Sets the request for this code and everything started from here. */
export const enterRequest = (context: RequestContext): void => storage().enterWith(context)

export const currentRequest = (): RequestContext | undefined => storage().getStore()
