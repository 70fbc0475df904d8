import { EventEmitter } from './zenfs'

type Listener = (...values: unknown[]) => void
interface Emitter {
  on(name: string | symbol, listener: Listener): unknown
  once(name: string | symbol, listener: Listener): unknown
  off(name: string | symbol, listener: Listener): unknown
}

/** Rejects with the emitter's `error`, unless that is what is waited for. */
function once(emitter: Emitter, name: string | symbol): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const failed: Listener = (error) => {
      emitter.off(name, heard)
      reject(error)
    }
    const heard: Listener = (...values) => {
      emitter.off('error', failed)
      resolve(values)
    }
    emitter.once(name, heard)
    if (name !== 'error') emitter.once('error', failed)
  })
}

/** Events as they come; it ends with the signal, or with the emitter's `error`. */
async function* on(emitter: Emitter, name: string | symbol, options: { readonly signal?: AbortSignal } = {}) {
  const heard: unknown[][] = []
  let failure: { readonly error: unknown } | null = null
  let wake = () => {}
  const hear: Listener = (...values) => {
    heard.push(values)
    wake()
  }
  const fail: Listener = (error) => {
    failure = { error }
    wake()
  }
  emitter.on(name, hear)
  emitter.on('error', fail)
  options.signal?.addEventListener('abort', () => fail(options.signal?.reason))
  try {
    for (;;) {
      const next = heard.shift()
      if (next !== undefined) yield next
      else if (failure !== null) throw (failure as { error: unknown }).error
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    emitter.off(name, hear)
    emitter.off('error', fail)
  }
}

/** `require('events')` is the class itself, with the module's functions on it. */
export const events = Object.assign(EventEmitter, {
  EventEmitter,
  default: EventEmitter,
  once,
  on,
  defaultMaxListeners: 10,
  setMaxListeners: () => {},
  getEventListeners: (emitter: EventEmitter, name: string) => emitter.listeners(name),
  listenerCount: (emitter: EventEmitter, name: string) => emitter.listenerCount(name),
})
