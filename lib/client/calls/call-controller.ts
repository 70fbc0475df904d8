import type { CallActions } from '@/lib/client/chats/actions'
import { callKey } from '@/lib/client/state/state'
import { onlyByClick, repeatsOf } from '@/lib/shared/calls/click-reasons'
import { innerOf, type MessageCall } from '@/lib/shared/calls/message-calls'
import { isUnexplained } from '@/lib/shared/calls/call-state'
import type { DecidedBy } from '@/lib/shared/conversation/call-record'
import { createCallChanges, giveGrant } from './call-changes'
import { click } from './call-jobs'
import { createCallPage, sendWhenIdle, type CallPage, inBackground, explainDenial, holdForReason } from './call-page'
import { type CallControllerPorts, callLockName } from './call-ports'
import { createCopyActions } from './chat-copy'
import { openReply, type OpenReply } from './open-reply'
import { foreignErrorText } from './run-call'
import { startCalls, stopCall, dequeue } from './start-calls'
import { t } from '@/lib/i18n/t'
import { denyCall, type NoDecision } from './decide-call'
import { saveOutcome, interruptedOutcome, sealOutcome } from './save-outcome'
import { isApprovedElsewhere } from '@/lib/shared/conversation/wire/call-requests'

/**
 * Carries decisions out. Three checks guard each run: this tab's job list (a double click), the Web Lock (another tab),
 * and the server's unique decision row (another device, a replay). Calls started together form one chain; the chains of
 * one message run in sequence. When no call is open, one message sends all results.
 */
export function createCallController(ports: CallControllerPorts): CallActions {
  const page = createCallPage(ports)
  const { jobs, reviews, questions, sender, shown } = page
  const isOpen = (reply: OpenReply) => (target: MessageCall) => target.runnable && jobs.isUndecided(reply)(target)
  /** Runs the work on the reply, if its calls can be worked on at all. */
  const inReply = (messageId: string, work: (reply: OpenReply) => void): void => {
    const reply = openReply(ports, messageId)
    if (reply) work(reply)
  }

  return {
    ...createCallChanges(page),
    ...createCopyActions(page),
    look: (messageId, slot, basis) => shown.show(callKey(messageId, slot), basis),

    run: (messageId, slots, { stopAtFailure = false, by = click, answers } = {}) =>
      inReply(messageId, (reply) => {
        const byOf = (slot: number): DecidedBy => ('kind' in by ? by : (by.get(slot) ?? click))
        const targets = reply
          .pick(slots)
          .filter((target) => isOpen(reply)(target) || (answers?.has(target.slot) && mayRunAgain(page, reply)(target)))
          .filter((target) => byOf(target.slot).kind === 'click' || mayRunUnasked(ports, reply, target))
        startCalls(page, reply, targets, { stopAtFailure, byOf, answers })
      }),

    continueRounds: (messageId, slots) =>
      inReply(messageId, (reply) => {
        sender.allowRounds(messageId)
        startCalls(page, reply, reply.pick(slots).filter(isOpen(reply)))
      }),

    deny: (messageId, slots, reason) =>
      inReply(messageId, (reply) => refuseCalls(page, reply, slots, { decision: 'deny', reason })),
    async explain(messageId, slot, reason) {
      const reply = openReply(ports, messageId)
      if (!reply) return t('calls.reply-not-in-view')
      const problem = await reply.hold(() => explainDenial(ports, reply, slot, reason))
      // All reasons are given: the results need not wait any longer.
      if (problem === null && !reply.calls().some(({ slot: one }) => isUnexplained(reply.recordOf(one))))
        page.reasons.end(messageId)
      return problem
    },
    holdForReason: (messageId, slot) => holdForReason(ports, messageId, slot),
    skip: (messageId, slots) => inReply(messageId, (reply) => refuseCalls(page, reply, slots, { decision: 'skip' })),

    async remember(messageId, slot, kind, alsoRun = []) {
      const reply = openReply(ports, messageId)
      const target = reply?.pick([slot]).find(isOpen(reply))
      if (!reply || !target) return t('calls.decided-already')
      return reply.hold(async () => {
        jobs.book(reply, target, click, 'deciding')
        const given = await giveGrant(page, reply, target, kind).catch((error: unknown) => ({
          ok: false as const,
          error: foreignErrorText(error),
        }))
        jobs.end(reply, slot)
        if (given.ok && isOpen(reply)(target)) {
          // This one runs by the click; the new grant applies to later calls only.
          startCalls(page, reply, [target, ...reply.pick(alsoRun).filter(isOpen(reply))])
          return null
        }
        // While this click was handled nothing was sent; the call may have been decided elsewhere meanwhile.
        await sendWhenIdle(page, reply)
        return given.ok ? null : t('calls.not-remembered', { why: given.error })
      })
    },

    stop(messageId, slot) {
      // It has run: only applying its changes to the files can still be stopped.
      if (!reviews.answer(callKey(messageId, slot), 'discard')) {
        inReply(messageId, (reply) => stopCall(page, reply, slot))
      }
    },
    answerReview: (messageId, slot, answer) => void reviews.answer(callKey(messageId, slot), answer),
    showPictures: (messageId, slot, isShown) => sender.showPictures(callKey(messageId, slot), isShown),
    answerQuestion: (messageId, slot, answer) => void questions.answer(callKey(messageId, slot), answer),

    answerInner: (messageId, slot, n, word) => page.inner.answer(callKey(messageId, slot), n, word),

    runAgain: (messageId, ...slots) =>
      inReply(messageId, (reply) => startCalls(page, reply, reply.pick(slots).filter(mayRunAgain(page, reply)))),
    notifyModel: (messageId, ...slots) => inReply(messageId, (reply) => notifyModel(page, reply, slots)),
    watchRunner: (...args) => watchRunner(ports, ...args),
    async checkLookAnswer(messageId, slot) {
      const reply = openReply(ports, messageId)
      if (!reply || !(await reply.load())) return false
      const row = reply.recordOf(slot)
      if (!row) return false
      if (isApprovedElsewhere(row)) startCalls(page, reply, reply.pick([slot]).filter(mayRunAgain(page, reply)))
      else if (row.decision !== 'run') inBackground(reply, () => sendWhenIdle(page, reply))
      return true
    },
  }
}

/** Checks for calls that nobody clicked. The server makes the same checks, and also those of rules and grants. */
function mayRunUnasked({ readCalls }: CallControllerPorts, reply: OpenReply, target: MessageCall): boolean {
  const { path, amendments } = reply.view()
  const config = reply.config()
  const repeats = repeatsOf(
    path,
    (message) => readCalls(message, config, amendments.get(message.id) ?? []),
    reply.messageId,
    target.slot,
  )
  return !onlyByClick(target, repeats)
}

const mayRunAgain =
  ({ jobs }: CallPage, reply: OpenReply) =>
  ({ slot, runnable }: MessageCall): boolean => {
    const row = reply.recordOf(slot)
    return runnable && row?.decision === 'run' && row.outcome === null && !jobs.of(reply, slot)
  }

/** Reports whether a tab of this browser runs a call; when none does, its row is loaded again. */
function watchRunner(
  ports: CallControllerPorts,
  ...[messageId, slot, onChange]: Parameters<CallActions['watchRunner']>
): () => void {
  const unsubscribed = new AbortController()
  const { signal } = unsubscribed
  void (async () => {
    const name = callLockName(messageId, slot)
    try {
      while (!signal.aborted && (await ports.locks.isHeld(name))) {
        if (!signal.aborted) onChange(true)
        await ports.locks.whenFree(name, signal)
        if (!signal.aborted) await openReply(ports, messageId)?.load()
      }
    } catch {
      // Without locks no tab can be running it.
    }
    if (!signal.aborted) onChange(false)
  })()
  return () => unsubscribed.abort()
}

/** Denies or skips calls; queued ones are taken out of the queue first. */
function refuseCalls(page: CallPage, reply: OpenReply, slots: readonly number[], word: NoDecision): void {
  const { jobs, ports } = page
  dequeue(page, reply, reply.pick(slots))
  // A call that cannot run can still be denied.
  const targets = reply.pick(slots).filter(jobs.isUndecided(reply))
  for (const target of targets) jobs.book(reply, target, click, 'deciding')
  if (targets.length === 0) return
  // Not through the queue: a denial need not wait for a running call.
  inBackground(reply, async () => {
    for (const target of targets) {
      const problem = await denyCall(ports, reply, target, word).catch(foreignErrorText)
      if (problem !== null) reply.say(target.slot, problem)
      else if (word.decision === 'deny' && word.reason === '') page.reasons.begin(reply.messageId)
      jobs.end(reply, target.slot)
    }
    await sendWhenIdle(page, reply)
  })
}

/** Settles calls as they are, and sends the results despite the limits that held them back. */
function notifyModel(page: CallPage, reply: OpenReply, slots: readonly number[]): void {
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

/** Settles a call that has a decision and no outcome, and that no tab runs. */
async function settleAsItIs({ ports }: CallPage, reply: OpenReply, target: MessageCall): Promise<void> {
  const row = reply.recordOf(target.slot)
  if (!row || row.decision !== 'run' || row.outcome || !row.runnerId) return
  const { slot, attempt, runnerId } = row
  const live = reply.liveOf(slot)
  const known = (live?.attempt === attempt ? live.outcome : null) ?? row.stopped?.outcome
  const wasStopped = row.stopped !== undefined
  const host = reply.view().tools.find(({ name }) => name === target.call.name)?.remote?.host
  const found =
    known ?? (await interruptedOutcome(ports, reply, { target, attempt, wasStopped, host, inner: innerOf(row) }))
  const { outcome } = await sealOutcome(ports, reply, target, found)
  await ports.locks.tryHold(callLockName(reply.messageId, slot), () =>
    saveOutcome(ports, reply, { slot, attempt, runnerId }, outcome),
  )
}
