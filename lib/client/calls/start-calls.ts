import type { JsonValue } from '@/lib/base/json'
import { CALLS_AT_ONCE } from '@/lib/shared/calls/click-reasons'
import { usesRun, type MessageCall } from '@/lib/shared/calls/message-calls'
import type { DecidedBy } from '@/lib/shared/conversation/call-record'
import { runsOnCopy } from '@/lib/shared/calls/approval-policy'
import { isCopyChosen } from '@/lib/shared/calls/copy'
import { treePathTo } from '@/lib/shared/conversation/message-tree'
import { giveGrant } from './call-changes'
import { click, type CallJob, changedSince, fingerprints } from './call-jobs'
import { inBackground, sendWhenIdle, type CallPage } from './call-page'
import { cancelCall } from './decide-call'
import type { OpenReply } from './open-reply'
import { runCall, foreignErrorText, type ChainEnd } from './run-call'
import { t } from '@/lib/i18n/t'

export interface StartOptions {
  readonly stopAtFailure?: boolean
  readonly byOf?: (slot: number) => DecidedBy
  readonly answers?: ReadonlyMap<number, JsonValue> | undefined
}

/** Starts attempts as one chain; the clicks are recorded before anything is awaited. */
export function startCalls(
  page: CallPage,
  reply: OpenReply,
  targets: readonly MessageCall[],
  { stopAtFailure = false, byOf = () => click, answers }: StartOptions = {},
): void {
  if (targets.length === 0) return
  const { jobs, shown, ports } = page
  const booked = targets.map((target): CallJob => {
    const by = byOf(target.slot)
    const job = jobs.book(reply, target, by, 'queued')
    if (by.kind === 'click') job.basis = shown.seen(reply.keyOf(target.slot))
    const answer = answers?.get(target.slot)
    if (answer !== undefined) job.answer = answer
    const { attempt } = job
    const waiting = { startedAt: ports.now(), attempt, events: [], outcome: null, problem: null, queued: true }
    reply.setLive(target.slot, waiting)
    return job
  })
  for (const job of booked) job.chain = booked
  const { parallelExecution, timeoutMs } = reply.config()
  const atOnce = parallelExecution ? CALLS_AT_ONCE : 1
  inBackground(reply, () =>
    jobs.inTurn(reply.messageId, async () => {
      const problem = await beginChosenCopy(page, reply, targets)
      if (problem !== null) {
        for (const { slot } of targets) {
          jobs.end(reply, slot)
          reply.say(slot, problem)
        }
        return
      }
      const options = { atOnce, timeoutMs, stopAtFailure, maxCalls: allowance(reply, targets) }
      await runToolChain(booked, options, {
        isWanted: (job) => jobs.isCurrent(reply, job),
        onStart: (job) => void (job.stage = 'running'),
        run: (job) => movingOn(page, reply, booked, () => runJob(page, reply, job)),
        onEnd({ target, attempt }, end) {
          // Its card showed the files before the first attempt, and no longer does: it is refused once.
          if (end === 'not-run' && attempt > 1) shown.forget(reply.keyOf(target.slot))
          jobs.end(reply, target.slot)
        },
        onStopped: (left, why) =>
          dequeue(
            page,
            reply,
            left.map(({ target }) => target),
            why,
          ),
      })
      await sendWhenIdle(page, reply)
    }),
  )
}

/**
 * The user chose a copy with the message: none of its calls that can run there may run on the files, however they
 * start. Returns a sentence if the copy could not begin; then nothing may run.
 */
async function beginChosenCopy(
  page: CallPage,
  reply: OpenReply,
  targets: readonly MessageCall[],
): Promise<string | null> {
  const { grants, tree, tools } = reply.view()
  const first = targets.find(({ call }) => {
    const tool = page.ports.toolOf(call.name, tools)
    return tool !== undefined && runsOnCopy(tool)
  })
  if (!first || !isCopyChosen(grants, treePathTo(tree, reply.messageId))) return null
  const given = await giveGrant(page, reply, first, 'copy', { chosen: true })
  return given.ok ? null : t('copy.not-begun', { why: given.error })
}

async function runJob(page: CallPage, reply: OpenReply, job: CallJob): Promise<ChainEnd> {
  const { target, attempt, by, basis, answer, stop } = job
  try {
    return await runCall(page, reply, { target, attempt, by, basis, answer, signal: stop.signal })
  } catch (error) {
    reply.say(target.slot, t('calls.not-run-here', { why: foreignErrorText(error) }))
    return 'not-run'
  }
}

/** How many calls of the reply may still run. */
function allowance(reply: OpenReply, targets: readonly MessageCall[]): number {
  const started = new Set(targets.map(({ slot }) => slot))
  const ran = reply.calls().filter(({ slot }) => !started.has(slot) && usesRun(reply.recordOf(slot)))
  return Math.max(0, reply.config().maxCallsPerReply - ran.length)
}

/**
 * Calls that were started together were reviewed together: changes by one of them are expected by those behind it,
 * unless something else had changed their files before.
 */
async function movingOn<T>(
  { ports }: CallPage,
  reply: OpenReply,
  chain: readonly CallJob[],
  work: () => Promise<T>,
): Promise<T> {
  const waiting = chain.filter(({ stage, basis }) => stage === 'queued' && basis !== null)
  if (waiting.length === 0) return work()
  const { vfs } = await ports.runtime(reply.conversationId)
  const holds: CallJob[] = []
  for (const job of waiting) {
    if (job.basis && (await changedSince(vfs, job.basis)).length === 0) holds.push(job)
  }
  const done = await work()
  for (const job of holds) if (job.basis) job.basis = await fingerprints(vfs, [...job.basis.keys()])
  return done
}

/** Takes calls out of the queue; their cards are as before the click, or say why they were not started. */
export function dequeue({ jobs }: CallPage, reply: OpenReply, targets: readonly MessageCall[], why?: ChainStop): void {
  for (const { slot } of targets) {
    const job = jobs.of(reply, slot)
    if (job?.stage !== 'queued') continue
    jobs.end(reply, slot)
    const { attempt, before } = job
    if (why === 'failure') reply.say(slot, t('calls.one-before-failed'), { attempt, leftOver: true })
    else if (why === 'limit') reply.say(slot, t('calls.limit', { limit: reply.config().maxCallsPerReply }), { attempt })
    else reply.setLive(slot, before?.outcome ? before : null)
  }
}

/**
 * Stops a running call, and cancels those started with it that have not begun; removes a waiting call from the queue.
 */
export function stopCall(page: CallPage, reply: OpenReply, slot: number): void {
  const job = page.jobs.of(reply, slot)
  if (job?.stage === 'running') {
    job.stop.abort()
    cancelRest(page, reply, job.chain)
  } else if (job) dequeue(page, reply, [job.target])
}

/**
 * Cancels the remaining calls of a batch when the user stops one of them. The server stores this at the click, so they
 * stay cancelled even if the page closes. A call with an earlier attempt returns to its state before the click.
 */
function cancelRest(page: CallPage, reply: OpenReply, chain: readonly CallJob[]): void {
  const { jobs, ports } = page
  const left = chain.filter((job) => job.stage === 'queued' && jobs.isCurrent(reply, job))
  const fresh = left.flatMap(({ attempt, target }) => (attempt === 1 ? [target] : []))
  const again = left.flatMap(({ attempt, target }) => (attempt > 1 ? [target] : []))
  dequeue(page, reply, again)
  for (const target of fresh) jobs.book(reply, target, click, 'deciding')
  inBackground(reply, async () => {
    await Promise.all(
      fresh.map(async (target) => {
        const problem = await cancelCall(ports, reply, target).catch(foreignErrorText)
        if (problem !== null) reply.say(target.slot, problem)
        jobs.end(reply, target.slot)
      }),
    )
    await sendWhenIdle(page, reply)
  })
}

/** Why the rest of a chain was not started. */
export type ChainStop = 'failure' | 'stop' | 'limit' | 'abort'

export interface ChainOptions {
  /** How many run in parallel; 1: in sequence. */
  readonly atOnce: number
  readonly stopAtFailure: boolean
  /** How many calls may still run; the rest is left as it is. */
  readonly maxCalls: number
  /** Per call, milliseconds. */
  readonly timeoutMs: number
  /** Ends the chain: running calls get the signal, waiting ones are not started. */
  readonly signal?: AbortSignal
}

export interface ChainPorts<Call> {
  /** Runs one call to its end, within `timeoutMs`. The caller keeps its outcome, whatever happens to the rest. */
  run(call: Call, options: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined }): Promise<ChainEnd>
  /** Returns false if the call was taken out of the queue, or another tab has it by now. */
  isWanted?(call: Call): boolean
  onStart?(call: Call): void
  onEnd?(call: Call, end: ChainEnd): void
  /** Called once, with everything that was not started. */
  onStopped?(left: readonly Call[], why: ChainStop): void
}

export interface ChainReport<Call> {
  readonly ended: readonly { readonly call: Call; readonly end: ChainEnd }[]
  readonly left: readonly Call[]
  readonly stopped: ChainStop | null
}

/**
 * Runs the calls of one start in their order, up to `atOnce` in parallel. A stop by the user or (if asked to) the first
 * failure ends the chain: running calls continue, and calls that have not begun are left. `run` should not reject; if
 * it does, the call counts as not run and the chain continues.
 */
export async function runToolChain<Call>(
  calls: readonly Call[],
  options: ChainOptions,
  ports: ChainPorts<Call>,
): Promise<ChainReport<Call>> {
  const ended: { readonly call: Call; readonly end: ChainEnd }[] = []
  const left: Call[] = []
  const { signal, timeoutMs } = options
  const queue = calls.values()
  let stopped: ChainStop | null = null
  let startedCount = 0

  const mayBegin = (): boolean => {
    if (signal?.aborted) stopped ??= 'abort'
    else if (startedCount >= options.maxCalls) stopped ??= 'limit'
    return stopped === null
  }
  async function runOne(call: Call): Promise<void> {
    startedCount += 1
    ports.onStart?.(call)
    const end = await ports.run(call, { timeoutMs, signal }).catch((): ChainEnd => 'not-run')
    // A call that did not run does not count toward the limit.
    if (end === 'not-run') startedCount -= 1
    ended.push({ call, end })
    ports.onEnd?.(call, end)
    if (end === 'stopped') stopped ??= 'stop'
    if (end === 'failed' && options.stopAtFailure) stopped ??= 'failure'
  }

  /** Lanes share one queue; each takes the next call when its previous one has ended. */
  async function runInLane(): Promise<void> {
    for (const call of queue) {
      if (!(ports.isWanted?.(call) ?? true)) continue
      if (mayBegin()) await runOne(call)
      else left.push(call)
    }
  }

  await Promise.all(Array.from({ length: Math.max(1, options.atOnce) }, runInLane))
  if (stopped !== null && left.length > 0) ports.onStopped?.(left, stopped)
  return { ended, left, stopped: left.length > 0 ? stopped : null }
}
