import type { CallKey } from '@/lib/client/state'
import type { FileReview } from '@/lib/tools/tool-runtime'
import type { CallMemory } from './call-memory'

type Answer = 'keep' | 'discard'

/** Changes to files that wait for the user in this tab. They are gone with it: then nothing of them was kept. */
export interface CallReviews {
  /** Shows the review on the call's card and waits, however long. A stop while it waits discards. */
  ask(key: CallKey, review: FileReview, signal: AbortSignal): Promise<Answer>
  /** False: nothing of this call waits. The first answer counts. */
  answer(key: CallKey, answer: Answer): boolean
}

export function createCallReviews(memory: Pick<CallMemory, 'liveOf' | 'setLive'>): CallReviews {
  const open = new Map<CallKey, (answer: Answer) => void>()
  return {
    ask(key, review, signal) {
      // A call that was stopped while it ran is asked about all the same: only what comes now is an answer.
      const stop = signal.aborted ? null : () => open.get(key)?.('discard')
      if (stop) signal.addEventListener('abort', stop, { once: true })
      return new Promise((resolve) => {
        open.set(key, (answer) => {
          open.delete(key)
          if (stop) signal.removeEventListener('abort', stop)
          const live = memory.liveOf(key)
          if (live) {
            const { review: _, ...rest } = live
            memory.setLive(key, rest)
          }
          resolve(answer)
        })
        const live = memory.liveOf(key)
        if (live) memory.setLive(key, { ...live, review })
      })
    },
    answer(key, answer) {
      const waiting = open.get(key)
      waiting?.(answer)
      return waiting !== undefined
    },
  }
}
