import { makeError } from '@/lib/i18n/t'

/** Limits work that should not run many times at once. */
export interface Turns {
  /**
   * Waits for the owner's turn; resolves with a function that ends it (call it once in every case). Rejects with
   * AppError `rate-limited` if the owner has too many waiting, `unavailable` if the process has, `bad-request` if the
   * signal aborts first.
   */
  take(owner: string, signal: AbortSignal): Promise<() => void>
}

interface Waiting {
  readonly owner: string
  readonly start: () => void
}

/** Runs `total` at a time, one per owner; limits how many may wait, per owner and in total. */
export function createTurns(limits: {
  readonly total: number
  readonly waitingOfOwner: number
  readonly waiting: number
  /** For messages: "imports". */
}): Turns {
  const running = new Set<string>()
  const queue: Waiting[] = []

  function next(): void {
    while (running.size < limits.total) {
      const at = queue.findIndex(({ owner }) => !running.has(owner))
      const [first] = at < 0 ? [] : queue.splice(at, 1)
      if (!first) return
      running.add(first.owner)
      first.start()
    }
  }

  return {
    take(owner, signal) {
      if (queue.filter((one) => one.owner === owner).length >= limits.waitingOfOwner) {
        return Promise.reject(makeError('rate-limited', 'chat.import.too-many-of-owner'))
      }
      if (queue.length >= limits.waiting) {
        return Promise.reject(makeError('unavailable', 'chat.import.server-full'))
      }
      return new Promise((resolve, reject) => {
        const end = () => {
          running.delete(owner)
          next()
        }
        const onAbort = () => {
          queue.splice(queue.indexOf(waiting), 1)
          reject(makeError('bad-request', 'chat.import.taken-back-early'))
        }
        const waiting: Waiting = {
          owner,
          start: () => {
            signal.removeEventListener('abort', onAbort)
            resolve(end)
          },
        }
        if (signal.aborted) return reject(makeError('bad-request', 'chat.import.taken-back'))
        signal.addEventListener('abort', onAbort, { once: true })
        queue.push(waiting)
        next()
      })
    },
  }
}
