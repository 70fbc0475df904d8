import { customPromisify } from './node-util'

/*
 * Timers as in Node: an object with `unref`, `setImmediate`, and `timers/promises`. A run waits for one-shot timers
 * that are not unreferenced, like a program in Node; not for intervals, which would never end.
 */

type Task = (...values: unknown[]) => void

export interface WorldTimers {
  readonly setTimeout: (task: () => void, ms: number) => number
  readonly clearTimeout: (id: number) => void
  readonly setInterval: (task: () => void, ms: number) => number
  readonly clearInterval: (id: number) => void
  /** Runs `task` as soon as nothing else runs. */
  readonly soon: (task: () => void) => void
}

class Timeout {
  readonly #clear: () => void
  readonly #release: () => void
  readonly #again: () => void
  readonly #id: number
  isHeld = true

  constructor(id: number, does: { clear: () => void; release: () => void; again: () => void }) {
    this.#id = id
    this.#clear = does.clear
    this.#release = does.release
    this.#again = does.again
  }
  ref(): this {
    this.isHeld = true
    return this
  }
  unref(): this {
    this.isHeld = false
    this.#release()
    return this
  }
  hasRef(): boolean {
    return this.isHeld
  }
  refresh(): this {
    this.#again()
    return this
  }
  close(): this {
    this.#clear()
    return this
  }
  [Symbol.toPrimitive](): number {
    return this.#id
  }
  [Symbol.dispose](): void {
    this.#clear()
  }
}

export function createTimers(world: WorldTimers) {
  /** Referenced timers, each with the function that ends the wait for it. */
  const waiting = new Map<Timeout, () => void>()
  const byId = new Map<number, Timeout>()
  let ids = 0
  let idle: (() => void)[] = []

  const over = (timeout: Timeout) => {
    if (!waiting.delete(timeout) || waiting.size > 0) return
    for (const tell of idle) tell()
    idle = []
  }

  function setTimeout(task: Task, ms: unknown = 0, ...values: unknown[]): Timeout {
    if (typeof task !== 'function') throw new TypeError('The "callback" argument must be of type function.')
    let id = -1
    const run = () => {
      over(timeout)
      byId.delete(Number(timeout))
      task(...values)
    }
    const start = () => {
      id = world.setTimeout(run, Number(ms) || 0)
    }
    const clear = () => {
      world.clearTimeout(id)
      byId.delete(Number(timeout))
      over(timeout)
    }
    const again = () => {
      world.clearTimeout(id)
      start()
    }
    const timeout = new Timeout(++ids, { clear, release: () => over(timeout), again })
    waiting.set(timeout, clear)
    byId.set(ids, timeout)
    start()
    return timeout
  }

  function setInterval(task: Task, ms: unknown = 0, ...values: unknown[]): Timeout {
    const id = world.setInterval(() => task(...values), Number(ms) || 0)
    const clear = () => world.clearInterval(id)
    const timeout = new Timeout(++ids, { clear, release: () => {}, again: () => {} })
    byId.set(ids, timeout)
    return timeout
  }

  function setImmediate(task: Task, ...values: unknown[]): Timeout {
    let isCleared = false
    const clear = () => {
      isCleared = true
      over(immediate)
    }
    const immediate = new Timeout(++ids, { clear, release: () => over(immediate), again: () => {} })
    waiting.set(immediate, clear)
    byId.set(ids, immediate)
    world.soon(() => {
      byId.delete(Number(immediate))
      over(immediate)
      if (!isCleared) task(...values)
    })
    return immediate
  }

  const clear = (given: unknown) => {
    const timeout = given instanceof Timeout ? given : byId.get(Number(given))
    timeout?.close()
  }

  const after = (start: (done: () => void) => Timeout, signal: AbortSignal | undefined, value: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      const stop = () => {
        timeout.close()
        reject(
          Object.assign(new Error('The operation was aborted'), {
            name: 'AbortError',
            code: 'ABORT_ERR',
            cause: signal?.reason as unknown,
          }),
        )
      }
      const timeout = start(() => {
        signal?.removeEventListener('abort', stop)
        resolve(value)
      })
      if (signal?.aborted === true) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    })

  interface WaitOptions {
    readonly signal?: AbortSignal
  }
  const promises = {
    setTimeout: (ms?: number, value?: unknown, { signal }: WaitOptions = {}) =>
      after((done) => setTimeout(done, ms), signal, value),
    setImmediate: (value?: unknown, { signal }: WaitOptions = {}) => after((done) => setImmediate(done), signal, value),
    async *setInterval(ms?: number, value?: unknown, { signal }: WaitOptions = {}) {
      for (;;) yield await after((done) => setTimeout(done, ms), signal, value)
    },
    scheduler: {
      wait: (ms?: number, options: WaitOptions = {}) =>
        after((done) => setTimeout(done, ms), options.signal, undefined),
    },
  }

  Object.assign(setTimeout, { [customPromisify]: promises.setTimeout })
  Object.assign(setImmediate, { [customPromisify]: promises.setImmediate })

  return {
    api: { setTimeout, clearTimeout: clear, setInterval, clearInterval: clear, setImmediate, clearImmediate: clear },
    promises,
    get isIdle() {
      return waiting.size === 0
    },
    /** Resolves when there are no more referenced timers. */
    idle: () => new Promise<void>((resolve) => (waiting.size === 0 ? resolve() : idle.push(resolve))),
  }
}
