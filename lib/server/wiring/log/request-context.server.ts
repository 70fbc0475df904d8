import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestSpan } from './traced-request'

/** What the log says of the request that is being answered. */
export interface RequestContext {
  readonly id: string
  /** A hash of who asks, once that is known; the same for the same owner on every node with this secret. Made where it is told. */
  owner?: () => string
  /** Where traces are asked for. */
  readonly span?: RequestSpan
}

/** On globalThis: it is begun in one bundle and asked for in all of them. */
const key = Symbol.for('nod.request')
const slot = globalThis as typeof globalThis & { [key]?: AsyncLocalStorage<RequestContext> }
const storage = (): AsyncLocalStorage<RequestContext> => (slot[key] ??= new AsyncLocalStorage())

/** From here on, and in everything that is begun from here, this is the request. */
export const enterRequest = (context: RequestContext): void => storage().enterWith(context)

export const currentRequest = (): RequestContext | undefined => storage().getStore()
