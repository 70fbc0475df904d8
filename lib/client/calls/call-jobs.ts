import type { JsonValue } from '@/lib/base/json'
import type { LiveCall } from '@/lib/shared/calls/call-state'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { CallKey } from '@/lib/client/state/state'
import type { DecidedBy } from '@/lib/shared/conversation/conversation'
import type { FileBasis } from './file-basis'
import type { OpenReply } from './open-reply'

/** A click that is being worked on. While a call has one, further clicks on it are refused at once. */
export interface CallJob {
  readonly target: MessageCall
  readonly attempt: number
  readonly by: DecidedBy
  readonly stop: AbortController
  /** What was started together, itself among it; alone for what is not started. */
  chain: readonly CallJob[]
  /** What its card showed of the files; null: nothing, or nobody looked. Moves on with what the chain's own calls change. */
  basis: FileBasis | null
  /** What the person filled in, for a call that asks. */
  answer?: JsonValue
  /** What its card showed before the click. */
  readonly before: LiveCall | undefined
  stage: 'queued' | 'running' | 'deciding'
}

export const click: DecidedBy = { kind: 'click' }

/** The clicks of this page, and the turns in which they are worked on. */
export function createCallJobs() {
  const jobs = new Map<CallKey, CallJob>()
  const queues = new Map<string, Promise<void>>()
  const of = (reply: OpenReply, slot: number) => jobs.get(reply.keyOf(slot))

  return {
    of,
    book(reply: OpenReply, target: MessageCall, by: DecidedBy, stage: CallJob['stage']): CallJob {
      const { slot } = target
      const attempt = (reply.recordOf(slot)?.attempt ?? 0) + 1
      const stop = new AbortController()
      const job: CallJob = { target, attempt, by, stop, chain: [], basis: null, before: reply.liveOf(slot), stage }
      jobs.set(reply.keyOf(slot), job)
      return job
    },
    end: (reply: OpenReply, slot: number): void => void jobs.delete(reply.keyOf(slot)),
    isCurrent: (reply: OpenReply, job: CallJob): boolean => of(reply, job.target.slot) === job,
    isBusy: ({ messageId }: OpenReply): boolean => [...jobs.keys()].some((key) => key.startsWith(`${messageId}:`)),
    /** Nobody decided it, and nobody is about to in this page. */
    isUndecided: (reply: OpenReply) => (target: MessageCall) => !of(reply, target.slot) && !reply.recordOf(target.slot),
    /** A message's chains go one after the other, whatever was clicked meanwhile. */
    inTurn(messageId: string, work: () => Promise<void>): Promise<void> {
      const mine = (queues.get(messageId) ?? Promise.resolve()).then(work)
      const settled = mine.catch(() => undefined)
      queues.set(messageId, settled)
      void settled.then(() => queues.get(messageId) === settled && queues.delete(messageId))
      return mine
    },
  }
}

export type CallJobs = ReturnType<typeof createCallJobs>
