import type { ToWorker, WorkerHolds, WorkerExited, WorkerExiting } from './worker-messages'

/** What one worker leaves. */
export interface WorkerWill {
  hear(message: WorkerExiting): void
  /** The worker is gone: what it left goes to another one. */
  open(): void
}

interface Living {
  readonly left: Map<string, string>
  readonly send: (message: WorkerExited) => void
}

/**
 * What workers want to be told to another one when they die, as they cannot say so themselves any more: kept by their supervisor, who sees
 * each death at once. It goes to the one that has been there longest, who leaves it in turn until it says that it is done: it may be dying
 * as well. Where nobody is left it waits for the next one.
 */
export function createWorkerWills() {
  /** In the order of their births. */
  const living = new Set<Living>()
  const unclaimed = new Map<string, string>()

  function leave(id: string, text: string): void {
    const [heir] = living
    ;(heir?.left ?? unclaimed).set(id, text)
    heir?.send({ type: 'nod-left', id, text })
  }

  return {
    /** To whoever asks whether a worker that lives would leave something. */
    answer: ({ id, left: asked }: WorkerHolds): ToWorker => ({
      type: 'nod-answers',
      id,
      answers: [...living].some(({ left }) => left.has(asked)) ? ['yes'] : [],
    }),

    /** `send` must keep what a worker is told before it listens. */
    born(send: (message: WorkerExited) => void): WorkerWill {
      const worker: Living = { left: new Map(), send }
      living.add(worker)
      const waiting = [...unclaimed]
      unclaimed.clear()
      for (const [id, text] of waiting) leave(id, text)
      return {
        hear({ id, text }) {
          if (text === null) worker.left.delete(id)
          // What it said last may be read after its death is seen.
          else if (living.has(worker)) worker.left.set(id, text)
          else leave(id, text)
        },
        open() {
          living.delete(worker)
          for (const [id, text] of worker.left) leave(id, text)
          worker.left.clear()
        },
      }
    },
  }
}
