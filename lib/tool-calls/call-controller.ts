import type { CallActions } from '@/lib/client/actions'
import { callKey } from '@/lib/client/state'
import { onlyByClick, repeatsOf } from '@/lib/calls/chain-limits'
import { isUnexplained } from '@/lib/calls/explain-denial'
import type { MessageCall } from '@/lib/calls/message-calls'
import type { DecidedBy } from '@/lib/conversation/conversation'
import { createCallChanges, giveGrant } from './call-changes'
import { click } from './call-jobs'
import { createCallPage, sendWhenQuiet, type CallPage } from './call-page'
import type { CallControllerPorts } from './call-ports'
import { openReply, type OpenReply } from './open-reply'
import { foreignErrorText } from './run-call'
import { explainDenial, holdForReason } from './reason-wait'
import { refuseCalls, tellModel } from './settle-calls'
import { startCalls, stopCall } from './start-calls'
import { watchRunner } from './watch-runner'
import { t } from '@/lib/i18n/t'

/**
 * Carries decisions out. A call runs only behind three doors: this tab's job list (a double click), the Web Lock (another
 * tab), the server's unique decision row (another device, a replay). What is started together is one chain; the chains
 * of one message go one after the other, and when none is open any more, one message takes all results back.
 */
export function createCallController(ports: CallControllerPorts): CallActions {
  const page = createCallPage(ports)
  const { jobs, reviews, sender, shown } = page
  const isOpen = (reply: OpenReply) => (target: MessageCall) => target.runnable && jobs.isUndecided(reply)(target)
  /** The reply, where its calls can be worked on at all. */
  const inReply = (messageId: string, work: (reply: OpenReply) => void): void => {
    const reply = openReply(ports, messageId)
    if (reply) work(reply)
  }

  return {
    ...createCallChanges(page),
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
      // All is said: the results need not wait any longer.
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
          // This one runs by the click; what was remembered begins with what comes later.
          startCalls(page, reply, [target, ...reply.pick(alsoRun).filter(isOpen(reply))])
          return null
        }
        // While this click was worked on nothing was sent; it may have been decided elsewhere meanwhile.
        await sendWhenQuiet(page, reply)
        return given.ok ? null : t('calls.not-remembered', { why: given.error })
      })
    },

    stop(messageId, slot) {
      // It has run: what is left to stop is that its changes reach the files.
      if (!reviews.answer(callKey(messageId, slot), 'discard')) {
        inReply(messageId, (reply) => stopCall(page, reply, slot))
      }
    },
    answerReview: (messageId, slot, answer) => void reviews.answer(callKey(messageId, slot), answer),

    runAgain: (messageId, ...slots) =>
      inReply(messageId, (reply) => startCalls(page, reply, reply.pick(slots).filter(mayRunAgain(page, reply)))),
    tellModel: (messageId, ...slots) => inReply(messageId, (reply) => tellModel(page, reply, slots)),
    watchRunner: (...args) => watchRunner(ports, ...args),
  }
}

/** Guards of what nobody clicked; the server holds the same ones, and the rules and grants besides. */
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
