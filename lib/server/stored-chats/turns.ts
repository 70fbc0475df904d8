import { makeError } from '@/lib/i18n/t'

/** One after the other: a piece of work that should not run many times at once. */
export interface Turns {
  /**
   * Resolves with what ends the turn (call it once, whatever happens) when it is the owner's turn. Rejects with AppError
   * `rate-limited` when the owner has enough waiting, `unavailable` when the process has, `bad-request` when the signal
   * aborts first.
   */
  take(owner: string, signal: AbortSignal): Promise<() => void>
}

interface Waiting {
  readonly owner: string
  readonly start: () => void
}

/** `total` at a time, one of each owner; this many may wait, of one owner and in all. */
export function createTurns(limits: {
  readonly total: number
  readonly waitingOfOwner: number
  readonly waiting: number
  /** For sentences: "imports". */
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
