import { createCallJobs, type CallJobs } from './call-jobs'
import type { CallControllerPorts } from './call-ports'
import { createCallReviews, type CallReviews } from './call-reviews'
import { createShownBasis } from './file-basis'
import type { OpenReply } from './open-reply'
import { createReasonWait, type ReasonWait } from './reason-wait'
import { createResultSender, type ResultSender } from './send-results'

/** What works on calls in this page: its ways to the world, and what it has begun. */
export interface CallPage {
  readonly ports: CallControllerPorts
  readonly jobs: CallJobs
  readonly reviews: CallReviews
  /** What the cards show of files. */
  readonly shown: ReturnType<typeof createShownBasis>
  readonly sender: ResultSender
  readonly reasons: ReasonWait
  /** `key#attempt` of everything that began to run in this page. */
  readonly started: Set<string>
}

export const createCallPage = (ports: CallControllerPorts): CallPage => ({
  ports,
  jobs: createCallJobs(),
  reviews: createCallReviews(),
  shown: createShownBasis(ports.monotonic),
  sender: createResultSender(ports),
  reasons: createReasonWait(ports),
  started: new Set(),
})

/** Work that nobody waits for; its conversation is held until it is done. */
export function inBackground(reply: OpenReply, work: () => Promise<void>): void {
  reply.hold(work).catch((error: unknown) => console.error('A click on a tool call failed unexpectedly.', error))
}

/**
 * Sends the results when nothing of the reply is being worked on, no call of it is open, and no denial of it waits for its
 * reason.
 */
export async function sendWhenQuiet({ jobs, sender, reasons }: CallPage, reply: OpenReply): Promise<void> {
  if (jobs.isBusy(reply)) return
  await reasons.over(reply)
  if (!jobs.isBusy(reply)) await sender.sendWhenSettled(reply)
}
