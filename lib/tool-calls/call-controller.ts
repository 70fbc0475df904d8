import type { CallActions } from '@/lib/client/actions'
import { callKey, type CallKey } from '@/lib/client/state'
import type { CallOutcome } from '@/lib/chat/conversation'
import { callHash } from './call-hash'
import { createCallMemory, loadRows, type MessageContext } from './call-memory'
import { callLockName, type CallControllerPorts } from './call-ports'
import { allSettled, type MessageCall } from './message-calls'
import { withRetry } from './retry'
import { runCall, sentenceOf, type AttemptEnd } from './run-call'
import { saveOutcome } from './save-outcome'
import { createResultSender } from './send-results'

/** A click that is being worked on. While a call has one, further clicks on it are refused at once. */
interface Job {
  readonly target: MessageCall
  readonly attempt: number
  readonly stop: AbortController
  stage: 'queued' | 'running' | 'deciding'
}

const DENY_TRIES = 3

/**
 * Carries a person's decisions out. A call runs only behind three doors: this tab's job list (a double click), the Web
 * Lock (another tab), the server's unique decision row (another device, a replay). Calls of one message run in the order
 * of the clicks, and when the last runnable one is settled, one message takes all results back.
 */
export function createCallController(ports: CallControllerPorts): CallActions {
  const memory = createCallMemory(ports)
  const sender = createResultSender(ports, memory)
  const jobs = new Map<CallKey, Job>()
  const chains = new Map<string, Promise<void>>()
  /** `key#attempt` of everything that began to run in this page. */
  const started = new Set<string>()

  const keyOf = (context: MessageContext, target: MessageCall) => callKey(context.messageId, target.slot)
  const isBusy = (context: MessageContext) => context.calls.some((call) => jobs.has(keyOf(context, call)))

  /** A message's work goes one after the other, whatever was clicked meanwhile. */
  function enqueue(messageId: string, work: () => Promise<void>): void {
    const chain = (chains.get(messageId) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      console.error('A click on a tool call failed unexpectedly.', error)
    })
    chains.set(messageId, chain)
  }

  function say(key: CallKey, problem: string): void {
    memory.setLive(key, { startedAt: ports.now(), attempt: 1, events: [], outcome: null, problem })
  }

  function dequeue(context: MessageContext, targets: readonly MessageCall[]): void {
    for (const target of targets) {
      const key = keyOf(context, target)
      if (jobs.get(key)?.stage !== 'queued') continue
      jobs.delete(key)
      memory.setLive(key, null)
    }
  }

  /** Starts attempts in order; the clicks are booked before anything is awaited. */
  function start(context: MessageContext, targets: readonly MessageCall[], stopAtFailure: boolean): void {
    const booked = targets.map((target): readonly [MessageCall, Job] => {
      const key = keyOf(context, target)
      const attempt = (memory.recordOf(context.messageId, target.slot)?.attempt ?? 0) + 1
      const job: Job = { target, attempt, stop: new AbortController(), stage: 'queued' }
      jobs.set(key, job)
      const waiting = { startedAt: ports.now(), attempt, events: [], outcome: null, problem: null, queued: true }
      memory.setLive(key, waiting)
      return [target, job]
    })
    enqueue(context.messageId, async () => {
      for (const [target, job] of booked) {
        const key = keyOf(context, target)
        if (jobs.get(key) !== job) continue
        job.stage = 'running'
        const end = await runCall(ports, memory, context, target, job.attempt, started, job.stop.signal).catch(
          (error: unknown): AttemptEnd => {
            say(key, `This browser could not run the call. ${sentenceOf(error)}`)
            return 'not-run'
          },
        )
        jobs.delete(key)
        if (end === 'stopped' || (end === 'failed' && stopAtFailure)) dequeue(context, targets)
      }
      if (!isBusy(context)) await sender.sendWhenSettled(context)
    })
  }

  async function denyOne(context: MessageContext, target: MessageCall, reason: string): Promise<void> {
    const { conversationId, messageId } = context
    const { slot, call } = target
    const key = keyOf(context, target)
    const callHashText = await callHash(messageId, slot, call.name, call.arguments)
    const request = { messageId, slot, callHash: callHashText, decision: 'deny', reason, attempt: 1 } as const
    const answer = await withRetry(
      () => ports.server.decide(conversationId, { ...request, runnerId: ports.runnerId }),
      { tries: DENY_TRIES, wait: ports.wait },
    )
    if (answer.ok) {
      memory.record(answer.value.call)
      memory.setLive(key, null)
      return
    }
    say(key, `It is not denied yet, and nothing ran. ${answer.error.message}`)
  }

  /** Settles a call that has a decision and no outcome, and that no tab runs any more. */
  async function settleAsItIs(context: MessageContext, target: MessageCall): Promise<void> {
    const row = memory.recordOf(context.messageId, target.slot)
    if (!row || row.decision !== 'run' || row.outcome || !row.runnerId) return
    const live = memory.liveOf(keyOf(context, target))
    const outcome = live?.attempt === row.attempt && live.outcome ? live.outcome : interruptedOutcome
    const { slot, attempt, runnerId } = row
    await ports.locks.tryHold(callLockName(context.messageId, slot), () =>
      saveOutcome(ports, memory, context, { slot, attempt, runnerId }, outcome),
    )
  }

  return {
    run(messageId, slots, options) {
      const context = memory.contextOf(messageId)
      if (!context) return
      const targets = pick(context, slots).filter(
        (target) => target.runnable && !jobs.has(keyOf(context, target)) && !memory.recordOf(messageId, target.slot),
      )
      if (targets.length > 0) start(context, targets, options?.stopAtFailure ?? false)
    },

    deny(messageId, slots, reason) {
      const context = memory.contextOf(messageId)
      if (!context) return
      dequeue(context, pick(context, slots))
      const targets = pick(context, slots).filter(
        (target) => target.runnable && !jobs.has(keyOf(context, target)) && !memory.recordOf(messageId, target.slot),
      )
      for (const target of targets)
        jobs.set(keyOf(context, target), { target, attempt: 1, stop: new AbortController(), stage: 'deciding' })
      if (targets.length === 0) return
      // Not through the chain: a denial needs not wait for a call that runs.
      void (async () => {
        for (const target of targets) {
          const key = keyOf(context, target)
          await denyOne(context, target, reason).catch((error: unknown) => say(key, sentenceOf(error)))
          jobs.delete(key)
        }
        if (!isBusy(context)) await sender.sendWhenSettled(context)
      })()
    },

    stop(messageId, slot) {
      const job = jobs.get(callKey(messageId, slot))
      if (!job) return
      if (job.stage === 'running') return job.stop.abort()
      if (job.stage === 'queued') {
        jobs.delete(callKey(messageId, slot))
        memory.setLive(callKey(messageId, slot), null)
      }
    },

    runAgain(messageId, slot) {
      const context = memory.contextOf(messageId)
      const row = memory.recordOf(messageId, slot)
      const target = context?.calls[slot]
      if (!context || !target?.runnable || jobs.has(callKey(messageId, slot))) return
      if (row?.decision === 'run' && row.outcome === null) start(context, [target], false)
    },

    tellModel(messageId, slot) {
      const context = memory.contextOf(messageId)
      const target = context?.calls[slot]
      const key = callKey(messageId, slot)
      if (!context || !target || jobs.has(key)) return
      jobs.set(key, { target, attempt: 0, stop: new AbortController(), stage: 'deciding' })
      enqueue(messageId, async () => {
        await settleAsItIs(context, target).catch((error: unknown) => say(key, sentenceOf(error)))
        jobs.delete(key)
        if (isBusy(context)) return
        if (!allSettled(context.calls, (other) => memory.recordOf(messageId, other)))
          await loadRows(ports, memory, context)
        if (allSettled(context.calls, (other) => memory.recordOf(messageId, other))) await sender.send(context)
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

const interruptedOutcome: CallOutcome = {
  status: 'interrupted',
  result: { error: 'The page was closed or reloaded while this ran. It may have changed files before it stopped.' },
  durationMs: null,
  console: [],
  displays: [],
}

function pick(context: MessageContext, slots: readonly number[]): readonly MessageCall[] {
  return [...new Set(slots)].flatMap((slot) => context.calls[slot] ?? [])
}
