import type { MessageCall } from '@/lib/calls/message-calls'
import { click } from './call-jobs'
import { inBackground, sendWhenQuiet, type CallPage } from './call-page'
import { callLockName } from './call-ports'
import { sayNo, type NoDecision } from './decide-call'
import { interruptedOutcome } from './interrupted-outcome'
import type { OpenReply } from './open-reply'
import { foreignErrorText } from './run-call'
import { saveOutcome } from './save-outcome'
import { dequeue } from './start-calls'

/** Denies calls, or leaves them out; what waits in a queue is taken out of it first. */
export function refuseCalls(page: CallPage, reply: OpenReply, slots: readonly number[], word: NoDecision): void {
  const { jobs, ports } = page
  dequeue(page, reply, reply.pick(slots))
  // A call that cannot run can be denied all the same.
  const targets = reply.pick(slots).filter(jobs.isUndecided(reply))
  for (const target of targets) jobs.book(reply, target, click, 'deciding')
  if (targets.length === 0) return
  // Not through the queue: a no needs not wait for a call that runs.
  inBackground(reply, async () => {
    for (const target of targets) {
      const problem = await sayNo(ports, reply, target, word).catch(foreignErrorText)
      if (problem !== null) reply.say(target.slot, problem)
      else if (word.decision === 'deny' && word.reason === '') page.reasons.begin(reply.messageId)
      jobs.end(reply, target.slot)
    }
    await sendWhenQuiet(page, reply)
  })
}

/** Settles calls as they are, and sends what there is, past what held it back. */
export function tellModel(page: CallPage, reply: OpenReply, slots: readonly number[]): void {
  const { jobs, sender, reasons } = page
  reasons.end(reply.messageId)
  const targets = reply.pick(slots).filter(({ slot }) => !jobs.of(reply, slot))
  if (targets.length === 0) return
  for (const target of targets) jobs.book(reply, target, click, 'deciding')
  inBackground(reply, () =>
    jobs.inTurn(reply.messageId, async () => {
      for (const target of targets) {
        await settleAsItIs(page, reply, target).catch((error: unknown) =>
          reply.say(target.slot, foreignErrorText(error)),
        )
        jobs.end(reply, target.slot)
      }
      if (!jobs.isBusy(reply)) await sender.sendAnyway(reply)
    }),
  )
}

/** A call that has a decision and no outcome, and that no tab runs any more. */
async function settleAsItIs({ ports }: CallPage, reply: OpenReply, target: MessageCall): Promise<void> {
  const row = reply.recordOf(target.slot)
  if (!row || row.decision !== 'run' || row.outcome || !row.runnerId) return
  const { slot, attempt, runnerId } = row
  const live = reply.liveOf(slot)
  const known = (live?.attempt === attempt ? live.outcome : null) ?? row.stopped?.outcome
  const wasStopped = row.stopped !== undefined
  const outcome = known ?? (await interruptedOutcome(ports, reply, { target, attempt, wasStopped }))
  await ports.locks.tryHold(callLockName(reply.messageId, slot), () =>
    saveOutcome(ports, reply, { slot, attempt, runnerId }, outcome),
  )
}
