import type { CallKey } from '@/lib/client/state/state'
import type { FileReview } from '@/lib/shared/tools/tool-runtime'
import type { OpenReply } from './open-reply'

type Answer = 'keep' | 'discard'

/** Changes to files that wait for the user in this tab. They are gone with it: then nothing of them was kept. */
export interface CallReviews {
  /** Shows the review on the call's card and waits, however long. A stop while it waits discards. */
  ask(reply: ReviewedReply, slot: number, review: FileReview, signal: AbortSignal): Promise<Answer>
  /** False: nothing of this call waits. The first answer counts. */
  answer(key: CallKey, answer: Answer): boolean
}

type ReviewedReply = Pick<OpenReply, 'keyOf' | 'liveOf' | 'setLive'>

export function createCallReviews(): CallReviews {
  const open = new Map<CallKey, (answer: Answer) => void>()
  return {
    ask(reply, slot, review, signal) {
      const key = reply.keyOf(slot)
      // A call that was stopped while it ran is asked about all the same: only what comes now is an answer.
      const stop = signal.aborted ? null : () => open.get(key)?.('discard')
      if (stop) signal.addEventListener('abort', stop, { once: true })
      return new Promise((resolve) => {
        open.set(key, (answer) => {
          open.delete(key)
          if (stop) signal.removeEventListener('abort', stop)
          const live = reply.liveOf(slot)
          if (live) {
            const { review: _, ...rest } = live
            reply.setLive(slot, rest)
          }
          resolve(answer)
        })
        const live = reply.liveOf(slot)
        if (live) reply.setLive(slot, { ...live, review })
      })
    },
    answer(key, answer) {
      const waiting = open.get(key)
      waiting?.(answer)
      return waiting !== undefined
    },
  }
}
