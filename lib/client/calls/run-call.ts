import { makeModelMessage, refusalText, t } from '@/lib/i18n/t'
import { openCopy } from '@/lib/shared/calls/copy'
import { treePathTo } from '@/lib/shared/conversation/message-tree'
import type { DecideCall } from '@/lib/shared/conversation/wire/call-requests'
import type { JsonValue, JsonObject } from '@/lib/base/json'
import type { CallOutcome, DecidedBy, CallRecord } from '@/lib/shared/conversation/call-record'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { LiveCall } from '@/lib/shared/calls/call-state'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { placeOf, sealOutcome, saveOutcome, type Granted } from './save-outcome'
import { isSkillPath } from '@/lib/shared/skills/skill-path'
import type { CallPage } from './call-page'
import { callLockName, type CallControllerPorts } from './call-ports'
import { decide, hashOf, whyRefused } from './decide-call'
import { createInnerCalls } from './inner-calls'
import { changedSince, filesChanged, type FileBasis } from './call-jobs'
import type { OpenReply } from './open-reply'
import { neededUser } from '@/lib/shared/conversation/stopped-outcome'
import { withRetry } from '@/lib/client/api/api-client'

/** Console lines kept of a running call; the card shows the last few, the outcome has its own copy. */
const MAX_LIVE_EVENTS = 500
const EVENT_FLUSH_MS = 60

/** Collects a run's events and shows them in batches, so that much output does not overload the page. */
function collectEvents(
  { wait }: Pick<CallControllerPorts, 'wait'>,
  reply: OpenReply,
  slot: number,
): (event: SandboxEvent) => void {
  const waiting: SandboxEvent[] = []
  let scheduled = false
  const flush = () => {
    scheduled = false
    const live = reply.liveOf(slot)
    const added = waiting.splice(0)
    if (live && live.outcome === null) {
      reply.setLive(slot, { ...live, events: [...live.events, ...added].slice(-MAX_LIVE_EVENTS) })
    }
  }
  return (event) => {
    waiting.push(event)
    if (waiting.length > MAX_LIVE_EVENTS) waiting.shift()
    if (scheduled) return
    scheduled = true
    void wait(EVENT_FLUSH_MS).then(flush)
  }
}

const TRIES = 3

/**
 * Records on the server that the user stopped a run: at the click without an outcome, so that it is known whatever
 * happens to the page, and again with the run's output and changes once it has ended. Returns the row, or a sentence.
 */
async function recordStop(
  { api, wait }: Pick<CallControllerPorts, 'api' | 'wait'>,
  { conversationId, messageId, record }: OpenReply,
  granted: Granted,
  outcome: CallOutcome | null,
): Promise<CallRecord | string> {
  const request = { messageId, ...granted, ...(outcome && { outcome }) }
  const answer = await withRetry(() => api.stopCall(conversationId, request), { tries: TRIES, wait })
  if (!answer.ok) return answer.error.message
  record(answer.value)
  return answer.value
}

/** How one call of a chain ended. */
export type ChainEnd =
  /** It ran, and its outcome is stored, or waits in memory for the server. */
  | 'succeeded'
  | 'failed'
  /** Stopped by the user, who then chooses between another attempt and telling the model. */
  | 'stopped'
  /** Nothing ran here: refused, unreachable, or another tab runs it. */
  | 'not-run'

/** One click's attempt, as recorded. */
export interface Attempt {
  readonly target: MessageCall
  readonly attempt: number
  readonly by: DecidedBy
  /** The file versions that the user saw; null: not checked. */
  readonly basis: FileBasis | null
  /** The user's input, for a call that asks for it. */
  readonly answer?: JsonValue | undefined
  readonly signal: AbortSignal
}

/**
 * Makes one attempt at one call. The lock is taken first and held until the outcome is stored, so that no other tab can
 * take a running call for an interrupted one. Then the server's unique row is requested; only that row lets the call
 * run.
 */
export async function runCall(page: CallPage, reply: OpenReply, attempt: Attempt): Promise<ChainEnd> {
  const { ports } = page
  const { slot } = attempt.target
  const live = liveOf(page, attempt)
  reply.setLive(slot, live)
  const refuse = (problem: string): ChainEnd => {
    reply.setLive(slot, { ...live, problem })
    return 'not-run'
  }

  let runtime: ToolRuntime
  let callHash: string
  try {
    runtime = await ports.runtime(reply.conversationId)
    callHash = await hashOf(reply, attempt.target)
  } catch (error) {
    return refuse(t('calls.tools-not-started', { why: foreignErrorText(error) }))
  }

  // Read once: the call runs where the server granted it, even if the chat has switched meanwhile.
  const copyId = openCopy(reply.view().grants)?.id
  await runtime.connect?.(attempt.target.call.name)
  const missing = runtime.missing?.(attempt.target.call.name) ?? null
  if (missing !== null) return refuse(missing)
  if (runtime.asksUser?.(attempt.target.call.name) && attempt.answer === undefined) {
    return refuse(t('calls.unanswered'))
  }
  const filled = await ports.secrets.fill(placeOf(ports, reply, attempt.target))
  if (!filled.ok) return refuse(filled.error)

  const tried = await ports.locks.tryHold(callLockName(reply.messageId, slot), async (): Promise<ChainEnd> => {
    const files = copyId === undefined ? runtime.vfs : (runtime.openCopy?.(copyId).files ?? runtime.vfs)
    const changed = attempt.basis ? await changedSince(files, attempt.basis) : []
    if (changed.length > 0) return refuse(filesChanged(changed))
    const granted = await askToRun(page, reply, attempt, { callHash, ...(copyId !== undefined && { copyId }) })
    if (typeof granted === 'string') return refuse(granted)
    if (granted === null) {
      reply.setLive(slot, null)
      return 'not-run'
    }
    return runGranted(page, reply, { ...attempt, copyId, args: filled.value }, granted, runtime)
  })
  if (tried.held) return tried.value
  reply.setLive(slot, null)
  await reply.load()
  return 'not-run'
}

const liveOf = ({ ports }: CallPage, { attempt }: Attempt): LiveCall => ({
  startedAt: ports.now(),
  attempt,
  events: [],
  outcome: null,
  problem: null,
})

/** The server's grant; null: the existing row belongs to another attempt; a sentence if it refused. */
async function askToRun(
  { ports, started }: CallPage,
  reply: OpenReply,
  { target, attempt, by }: Attempt,
  where: Pick<DecideCall, 'callHash' | 'copyId'>,
): Promise<Granted | string | null> {
  const { slot } = target
  // Stopped during preparation: the row is still requested, so that the card shows what became of the click.
  const how = by.kind === 'click' ? {} : { by }
  const answer = await decide(ports, reply, { slot, ...where, decision: 'run', ...how, attempt })
  if (!answer.ok) return t('calls.nothing-ran', { why: await whyRefused(reply, target, answer.error) })
  const row = answer.value.call
  reply.record(row)
  // A request whose response was lost is repeated; the response then names this page as the runner without granting
  // again.
  const mark = `${reply.keyOf(slot)}#${attempt}`
  const isOurs = row.decision === 'run' && row.attempt === attempt && row.runnerId === ports.runnerId
  if (!isOurs || row.outcome !== null || started.has(mark)) return null
  started.add(mark)
  return { slot, attempt, runnerId: ports.runnerId }
}

async function runGranted(
  page: CallPage,
  reply: OpenReply,
  attempt: Attempt & { readonly copyId: string | undefined; readonly args: JsonObject },
  granted: Granted,
  runtime: ToolRuntime,
): Promise<ChainEnd> {
  const { ports, reviews, questions } = page
  const { target, args, answer, signal, copyId } = attempt
  const { slot } = target
  const live = liveOf(page, attempt)
  reply.setLive(slot, live)
  const onStop = () => void recordStop(ports, reply, granted, null)
  signal.addEventListener('abort', onStop, { once: true })
  if (signal.aborted) onStop()
  const collect = collectEvents(ports, reply, slot)
  const onEvent = (event: SandboxEvent) => {
    if (event.type === 'turn') {
      reply.setLive(slot, { ...(reply.liveOf(slot) ?? live), startedAt: ports.now(), waitsForTurn: event.waits })
    } else if (event.type === 'began') reply.setLive(slot, { ...(reply.liveOf(slot) ?? live), startedAt: ports.now() })
    collect(event)
  }
  const { codeChanges, timeoutMs } = reply.config()
  const inner = createInnerCalls(page, reply, { target, granted, runtime, copyId })
  const problem = copyId === undefined ? null : await copyProblem(runtime, reply, copyId)
  const ran =
    problem ??
    (await execute(runtime, target, args, {
      timeoutMs,
      signal,
      onEvent,
      ...(answer !== undefined && { answer }),
      ...(inner && { inner: inner.tools }),
      origin: { kind: 'call', messageId: reply.messageId, slot, attempt: attempt.attempt, tool: target.call.name },
      async ask(question, over) {
        const ends = AbortSignal.any([over, signal])
        return ends.aborted ? { action: 'cancel' } : questions.ask(reply, slot, question, ends)
      },
      ...(copyId !== undefined && { copyId }),
      // On a copy, its end card is the review. Changes of skills are reviewed whatever the chat's settings say.
      ...(copyId === undefined && {
        review: (review) =>
          codeChanges === 'ask' || review.changes.some(({ path }) => isSkillPath(path))
            ? reviews.ask(reply, slot, review, signal)
            : Promise.resolve('keep'),
      }),
    }))
  signal.removeEventListener('abort', onStop)
  const { outcome, hold } = await sealOutcome(ports, reply, target, ran)
  if (outcome.status === 'cancelled') {
    await settleStopped(page, reply, granted, outcome, live)
    // A call that waits for the user stops no other call.
    return neededUser(outcome) ? 'not-run' : 'stopped'
  }
  await saveOutcome(ports, reply, granted, outcome, hold || inner?.isHeld() === true)
  return outcome.status === 'completed' ? 'succeeded' : 'failed'
}

/**
 * Brings the copy up to date with the branch and with file changes made meanwhile. Returns the outcome if that failed.
 */
async function copyProblem(runtime: ToolRuntime, reply: OpenReply, copyId: string): Promise<CallOutcome | null> {
  const path = treePathTo(reply.view().tree, reply.messageId).map(({ id }) => id)
  const ready = await runtime.openCopy?.(copyId).catchUp(path)
  if (ready?.ok) return null
  const why = ready ? refusalText(ready.error, 'en') : t('copy.none-here')
  const { reason, values, message } = makeModelMessage('told.files-not-there', { why })
  const rest = { durationMs: null, console: [], displays: [], said: [{ reason, values }] }
  return { status: 'error', result: { error: message }, ...rest }
}

async function settleStopped(
  { ports }: CallPage,
  reply: OpenReply,
  granted: Granted,
  outcome: CallOutcome,
  live: LiveCall,
): Promise<void> {
  const { slot } = granted
  const shown = { ...(reply.liveOf(slot) ?? live), outcome }
  reply.setLive(slot, shown)
  const recorded = await recordStop(ports, reply, granted, outcome)
  if (typeof recorded === 'string') {
    const problem = t('calls.stop-not-stored', { why: recorded })
    reply.setLive(slot, { ...shown, problem })
  } else if (recorded.postedIn !== null) {
    // The user sent another message meanwhile: no one can settle the call any more, so this does.
    await saveOutcome(ports, reply, granted, outcome)
  } else if (recorded.stopped?.outcome) reply.setLive(slot, null)
}

async function execute(
  runtime: ToolRuntime,
  { call }: MessageCall,
  args: JsonObject,
  options: Parameters<ToolRuntime['execute']>[2],
): Promise<CallOutcome> {
  const stopped = {
    status: 'cancelled',
    result: { error: 'The user stopped this call before it started.' },
    durationMs: 0,
    console: [],
    displays: [],
  } as const
  if (options.signal.aborted) return stopped
  try {
    return await runtime.execute(call.name, args, options)
  } catch (error) {
    // The contract says that it never rejects; a bug there must not leave the call without an outcome.
    const { reason, values, message } = makeModelMessage('told.failed-oddly', { why: foreignErrorText(error) })
    const reasons = [{ reason, values }]
    return { status: 'error', result: { error: message }, durationMs: null, console: [], displays: [], said: reasons }
  }
}

/** Converts a foreign error to text for a sentence. */
export function foreignErrorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
