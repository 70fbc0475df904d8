/** A worker's clock: browsers let the timers of a tab that nobody sees go off once a minute, and those of its workers as asked. */
export interface TickWorkerPort {
  postMessage(request: { readonly id: number; readonly ms: number }): void
  addEventListener(type: 'message', listener: (event: { readonly data: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
}

export interface Ticks {
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

export function createTicks(start: () => TickWorkerPort): Ticks {
  const waiting = new Map<number, () => void>()
  let worker: TickWorkerPort | null = null
  let broken = false
  let count = 0

  function started(): TickWorkerPort | null {
    if (worker ?? broken) return worker
    try {
      worker = start()
    } catch {
      broken = true
      return null
    }
    worker.addEventListener('message', ({ data: id }) => waiting.get(id)?.())
    worker.addEventListener('error', () => {
      // Timers of the page are slow where nobody sees it, and better than none.
      broken = true
      worker = null
      for (const wake of waiting.values()) wake()
    })
    return worker
  }

  return {
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true || ms <= 0) return resolve()
        const id = (count += 1)
        const wake = () => {
          waiting.delete(id)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        waiting.set(id, wake)
        signal?.addEventListener('abort', wake, { once: true })
        const port = started()
        if (port) port.postMessage({ id, ms })
        else setTimeout(wake, ms)
      }),
  }
}
