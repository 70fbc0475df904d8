import type { CallActions } from '@/lib/client/actions'
import { callKey, type CallKey } from '@/lib/client/state'
import type { LiveCall } from '@/lib/calls/live-call'
import type { DecidedBy } from '@/lib/conversation/conversation'
import { createCallChanges } from './call-changes'
import { createCallMemory, loadRows, type MessageContext } from './call-memory'
import { interruptedOutcome } from './interrupted-outcome'
import { createCallReviews } from './call-reviews'
import { callLockName, type CallControllerPorts } from './call-ports'
import { changedSince, createShownBasis, fingerprints, type FileBasis } from './file-basis'
import { CALLS_AT_ONCE, limitSentence, onlyByClick, repeatsOf } from '@/lib/calls/chain-limits'
import { cancelCall, sayNo, type NoWord } from './decide-call'
import { usesRun, type MessageCall } from '@/lib/calls/message-calls'
import { runCall, sentenceOf } from './run-call'
import { saveOutcome } from './save-outcome'
import { createResultSender } from './send-results'
import { runToolChain, type ChainEnd, type ChainStop } from './tool-chain'

/** A click that is being worked on. While a call has one, further clicks on it are refused at once. */
interface Job {
  readonly target: MessageCall
  readonly attempt: number
  readonly by: DecidedBy
  readonly stop: AbortController
  /** What was started together, itself among it; alone for what is not started. */
  chain: readonly Job[]
  /** What its card showed of the files; null: nothing, or nobody looked. Moves on with what the chain's own calls change. */
  basis: FileBasis | null
  /** What its card showed before the click. */
  readonly before: LiveCall | undefined
  stage: 'queued' | 'running' | 'deciding'
}

const click: DecidedBy = { kind: 'click' }

/**
 * Carries decisions out. A call runs only behind three doors: this tab's job list (a double click), the Web Lock (another
 * tab), the server's unique decision row (another device, a replay). What is started together is one chain; the chains
 * of one message go one after the other, and when none is open any more, one message takes all results back.
 */
export function createCallController(ports: CallControllerPorts): CallActions {
  const memory = createCallMemory(ports)
  const sender = createResultSender(ports, memory)
  const shown = createShownBasis(ports.now)
  const jobs = new Map<CallKey, Job>()
  const queues = new Map<string, Promise<void>>()
  /** `key#attempt` of everything that began to run in this page. */
  const started = new Set<string>()
  const reviews = createCallReviews(memory)

  const keyOf = (context: MessageContext, target: MessageCall) => callKey(context.messageId, target.slot)
  const isBusy = ({ messageId }: MessageContext) => [...jobs.keys()].some((key) => key.startsWith(`${messageId}:`))
  const broke = (error: unknown) => console.error('A click on a tool call failed unexpectedly.', error)

  async function sendWhenQuiet(context: MessageContext): Promise<void> {
    if (!isBusy(context)) await sender.sendWhenSettled(context)
  }
  const changes = createCallChanges(ports, memory, {
    isBusy: (messageId, slot) => jobs.has(callKey(messageId, slot)),
    onSettled: (context) => void sendWhenQuiet(context).catch(broke),
  })

  /** A message's chains go one after the other, whatever was clicked meanwhile. */
  function enqueue(messageId: string, work: () => Promise<void>): void {
    queues.set(messageId, (queues.get(messageId) ?? Promise.resolve()).then(work).catch(broke))
  }

  function say(key: CallKey, problem: string, more: Partial<LiveCall> = {}): void {
    memory.setLive(key, { startedAt: ports.now(), attempt: 1, events: [], outcome: null, problem, ...more })
  }

  /** Takes calls out of the queue; their cards are as before the click, or say why they were not started. */
  function dequeue(context: MessageContext, targets: readonly MessageCall[], why?: ChainStop): void {
    for (const target of targets) {
      const key = keyOf(context, target)
      const job = jobs.get(key)
      if (job?.stage !== 'queued') continue
      jobs.delete(key)
      const { attempt } = job
      if (why === 'failure') say(key, 'Not started: a call before it failed.', { attempt, leftOver: true })
      else if (why === 'limit') say(key, limitSentence(context.config.maxCallsPerReply), { attempt })
      else memory.setLive(key, job.before?.outcome ? job.before : null)
    }
  }

  /**
   * The rest of calls that were started together, when the user stops one of them: told to the server at the click, so that
   * they stay cancelled whatever becomes of the page. One that had an attempt before is as it was before the click.
   */
  function cancelRest(context: MessageContext, chain: readonly Job[]): void {
    const left = chain.filter((job) => job.stage === 'queued' && jobs.get(keyOf(context, job.target)) === job)
    const fresh = left.filter(({ attempt }) => attempt === 1)
    dequeue(
      context,
      left.filter(({ attempt }) => attempt > 1).map(({ target }) => target),
    )
    for (const { target } of fresh) book(context, target, click, 'deciding')
    void Promise.all(
      fresh.map(async ({ target }) => {
        const key = keyOf(context, target)
        const problem = await cancelCall(ports, memory, context, target).catch(sentenceOf)
        if (problem !== null) say(key, problem)
        jobs.delete(key)
      }),
    )
      .then(() => sendWhenQuiet(context))
      .catch(broke)
  }

  function book(context: MessageContext, target: MessageCall, by: DecidedBy, stage: Job['stage']): Job {
    const key = keyOf(context, target)
    const attempt = (memory.recordOf(context.messageId, target.slot)?.attempt ?? 0) + 1
    const job: Job = {
      target,
      attempt,
      by,
      stop: new AbortController(),
      chain: [],
      basis: null,
      before: memory.liveOf(key),
      stage,
    }
    jobs.set(key, job)
    return job
  }

  /** Starts attempts as one chain; the clicks are booked before anything is awaited. */
  function start(
    context: MessageContext,
    targets: readonly MessageCall[],
    { stopAtFailure = false, byOf = () => click }: { stopAtFailure?: boolean; byOf?: (slot: number) => DecidedBy },
  ): void {
    const booked = targets.map((target): Job => {
      const by = byOf(target.slot)
      const job = book(context, target, by, 'queued')
      if (by.kind === 'click') job.basis = shown.seen(keyOf(context, target))
      const { attempt } = job
      const waiting = { startedAt: ports.now(), attempt, events: [], outcome: null, problem: null, queued: true }
      memory.setLive(keyOf(context, target), waiting)
      return job
    })
    for (const job of booked) job.chain = booked
    const { parallelExecution, timeoutMs } = context.config
    enqueue(context.messageId, async () => {
      const atOnce = parallelExecution ? CALLS_AT_ONCE : 1
      const options = { atOnce, timeoutMs, stopAtFailure, maxCalls: allowance(context, targets) }
      await runToolChain(booked, options, {
        isWanted: (job) => jobs.get(keyOf(context, job.target)) === job,
        onStart: (job) => void (job.stage = 'running'),
        run: ({ target, attempt, by, basis, stop: { signal } }) =>
          movingOn(context, booked, () =>
            runCall(ports, memory, context, { target, attempt, by, basis, signal }, { started, reviews }).catch(
              (error: unknown): ChainEnd => {
                say(keyOf(context, target), `This browser could not run the call. ${sentenceOf(error)}`)
                return 'not-run'
              },
            ),
          ),
        onEnd({ target, attempt }, end) {
          const key = keyOf(context, target)
          // Its card showed the files before the first attempt, and shows them no more: it is refused once.
          if (end === 'not-run' && attempt > 1) shown.forget(key)
          jobs.delete(key)
        },
        onStopped: (left, why) =>
          dequeue(
            context,
            left.map(({ target }) => target),
            why,
          ),
      })
      await sendWhenQuiet(context)
    })
  }

  /**
   * Calls that were started together were looked at together: what one of them changes is no surprise to those behind it,
   * unless something else had changed their files before.
   */
  async function movingOn<T>(context: MessageContext, chain: readonly Job[], work: () => Promise<T>): Promise<T> {
    const waiting = chain.filter(({ stage, basis }) => stage === 'queued' && basis !== null)
    if (waiting.length === 0) return work()
    const { vfs } = await ports.runtime(context.conversationId)
    const holds: Job[] = []
    for (const job of waiting) {
      if (job.basis && (await changedSince(vfs, job.basis)).length === 0) holds.push(job)
    }
    const done = await work()
    for (const job of holds) if (job.basis) job.basis = await fingerprints(vfs, [...job.basis.keys()])
    return done
  }

  /** How many calls of the reply may still run. */
  function allowance({ messageId, calls, config }: MessageContext, targets: readonly MessageCall[]): number {
    const ran = calls.filter((call) => !targets.includes(call) && usesRun(memory.recordOf(messageId, call.slot)))
    return Math.max(0, config.maxCallsPerReply - ran.length)
  }

  const isUndecided = (context: MessageContext) => (target: MessageCall) =>
    !jobs.has(keyOf(context, target)) && !memory.recordOf(context.messageId, target.slot)
  const isOpen = (context: MessageContext) => (target: MessageCall) => target.runnable && isUndecided(context)(target)

  /** Guards of what nobody clicked; the server holds the same ones, and the rules and grants besides. */
  function mayRunUnasked({ messageId, config }: MessageContext, target: MessageCall): boolean {
    const { path, amendments } = ports.getState().view
    const callsOf = (message: MessageContext['message']) =>
      ports.readCalls(message, config, amendments.get(message.id) ?? [])
    return !onlyByClick(target, repeatsOf(path, callsOf, messageId, target.slot))
  }

  function refuse(messageId: string, slots: readonly number[], word: NoWord): void {
    const context = memory.contextOf(messageId)
    if (!context) return
    dequeue(context, pick(context, slots))
    // A call that cannot run can be denied all the same.
    const targets = pick(context, slots).filter(isUndecided(context))
    for (const target of targets) book(context, target, click, 'deciding')
    if (targets.length === 0) return
    // Not through the queue: a no needs not wait for a call that runs.
    void (async () => {
      for (const target of targets) {
        const key = keyOf(context, target)
        const problem = await sayNo(ports, memory, context, target, word).catch(sentenceOf)
        if (problem !== null) say(key, problem)
        jobs.delete(key)
      }
      await sendWhenQuiet(context)
    })().catch(broke)
  }

  /** Settles a call that has a decision and no outcome, and that no tab runs any more. */
  async function settleAsItIs(context: MessageContext, target: MessageCall): Promise<void> {
    const row = memory.recordOf(context.messageId, target.slot)
    if (!row || row.decision !== 'run' || row.outcome || !row.runnerId) return
    const live = memory.liveOf(keyOf(context, target))
    const { slot, attempt, runnerId } = row
    const known = (live?.attempt === attempt ? live.outcome : null) ?? row.stopped?.outcome
    const wasStopped = row.stopped !== undefined
    const outcome = known ?? (await interruptedOutcome(ports, context, { target, attempt, wasStopped }))
    await ports.locks.tryHold(callLockName(context.messageId, slot), () =>
      saveOutcome(ports, memory, context, { slot, attempt, runnerId }, outcome),
    )
  }

  return {
    amend: changes.amend,
    look: (messageId, slot, basis) => shown.show(callKey(messageId, slot), basis),
    release: changes.release,
    revokeGrant: changes.revokeGrant,

    run(messageId, slots, { stopAtFailure = false, by = click } = {}) {
      const context = memory.contextOf(messageId)
      if (!context) return
      const byOf = (slot: number): DecidedBy => ('kind' in by ? by : (by.get(slot) ?? click))
      const targets = pick(context, slots)
        .filter(isOpen(context))
        .filter((target) => byOf(target.slot).kind === 'click' || mayRunUnasked(context, target))
      if (targets.length > 0) start(context, targets, { stopAtFailure, byOf })
    },

    continueRounds(messageId, slots) {
      const context = memory.contextOf(messageId)
      if (!context) return
      sender.allowRounds(messageId)
      const targets = pick(context, slots).filter(isOpen(context))
      if (targets.length > 0) start(context, targets, {})
    },

    deny: (messageId, slots, reason) => refuse(messageId, slots, { decision: 'deny', reason }),
    skip: (messageId, slots) => refuse(messageId, slots, { decision: 'skip' }),

    async remember(messageId, slot, kind, alsoRun = []) {
      const context = memory.contextOf(messageId)
      const target = context && pick(context, [slot]).find(isOpen(context))
      if (!target) return 'This call was decided already.'
      const key = keyOf(context, target)
      book(context, target, click, 'deciding')
      const given = await changes.giveGrant(context, target, kind).catch((error: unknown) => ({
        ok: false as const,
        error: sentenceOf(error),
      }))
      jobs.delete(key)
      if (given.ok && isOpen(context)(target)) {
        // This one runs by the click; what was remembered begins with what comes later.
        start(context, [target, ...pick(context, alsoRun).filter(isOpen(context))], {})
        return null
      }
      // While this click was worked on nothing was sent; it may have been decided elsewhere meanwhile.
      await sendWhenQuiet(context)
      return given.ok ? null : `Nothing was remembered, and nothing ran. ${given.error}`
    },

    stop(messageId, slot) {
      const key = callKey(messageId, slot)
      // It has run: what is left to stop is that its changes reach the files.
      if (reviews.answer(key, 'discard')) return
      const job = jobs.get(key)
      const context = memory.contextOf(messageId)
      if (job?.stage === 'running') {
        job.stop.abort()
        if (context) cancelRest(context, job.chain)
      } else if (job && context) dequeue(context, [job.target])
    },

    answerReview: (messageId, slot, answer) => void reviews.answer(callKey(messageId, slot), answer),

    runAgain(messageId, ...slots) {
      const context = memory.contextOf(messageId)
      if (!context) return
      const targets = pick(context, slots).filter((target) => {
        const row = memory.recordOf(messageId, target.slot)
        const mayRun = row?.decision === 'run' && row.outcome === null
        return target.runnable && mayRun && !jobs.has(keyOf(context, target))
      })
      if (targets.length > 0) start(context, targets, {})
    },

    tellModel(messageId, ...slots) {
      const context = memory.contextOf(messageId)
      if (!context) return
      const targets = pick(context, slots).filter((target) => !jobs.has(keyOf(context, target)))
      if (targets.length === 0) return
      for (const target of targets) book(context, target, click, 'deciding')
      enqueue(messageId, async () => {
        for (const target of targets) {
          const key = keyOf(context, target)
          await settleAsItIs(context, target).catch((error: unknown) => say(key, sentenceOf(error)))
          jobs.delete(key)
        }
        if (!isBusy(context)) await sender.sendAnyway(context)
      })
    },

    watchRunner(messageId, slot, onChange) {
      const context = memory.contextOf(messageId)
      const unsubscribed = new AbortController()
      const { signal } = unsubscribed
      memory.showAgain(messageId)
      void (async () => {
        const name = callLockName(messageId, slot)
        try {
          while (!signal.aborted && (await ports.locks.isHeld(name))) {
            if (!signal.aborted) onChange(true)
            await ports.locks.whenFree(name, signal)
            if (!signal.aborted && context) await loadRows(ports, memory, context)
          }
        } catch {
          // Without locks nobody can be running it.
        }
        if (!signal.aborted) onChange(false)
      })()
      return () => unsubscribed.abort()
    },
  }
}

/** In the order of the slots that were asked for. */
function pick(context: MessageContext, slots: readonly number[]): readonly MessageCall[] {
  return [...new Set(slots)].flatMap((slot) => context.calls.find((call) => call.slot === slot) ?? [])
}
