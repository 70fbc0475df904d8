import { AppError } from '@/lib/base/app-error'

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

/** `total` at a time, one of each owner; so many may wait, of one owner and in all. */
export function createTurns(limits: {
  readonly total: number
  readonly waitingOfOwner: number
  readonly waiting: number
  /** For sentences: "imports". */
  readonly name: string
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
        const message = `Other ${limits.name} of yours are still under way. Wait until they are done, then try this one again.`
        return Promise.reject(new AppError('rate-limited', message))
      }
      if (queue.length >= limits.waiting) {
        const message = `The server has enough ${limits.name} to do. Try again in a moment.`
        return Promise.reject(new AppError('unavailable', message))
      }
      return new Promise((resolve, reject) => {
        const end = () => {
          running.delete(owner)
          next()
        }
        const onAbort = () => {
          queue.splice(queue.indexOf(waiting), 1)
          reject(new AppError('bad-request', 'The request was taken back before its turn came.'))
        }
        const waiting: Waiting = {
          owner,
          start: () => {
            signal.removeEventListener('abort', onAbort)
            resolve(end)
          },
        }
        if (signal.aborted) return reject(new AppError('bad-request', 'The request was taken back.'))
        signal.addEventListener('abort', onAbort, { once: true })
        queue.push(waiting)
        next()
      })
    },
  }
}
