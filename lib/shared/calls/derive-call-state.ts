import type { AssistantMessage, Message, ReplyOutcome } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import type { BrokenSegment } from '@/lib/protocols/types/segment'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { reduceCall, unread, type CallEvent, type CallRunnability } from './call-life'
import type { CallState, LiveCall } from './call-state'

/** How often a model is asked to fix the same call before something else is the better idea. */
export const MAX_FIX_ROUNDS = 2

/** The fields of a broken call that count here: its tool, and the message to the model. */
export type CountedBrokenCall = Pick<BrokenSegment, 'name' | 'message'>

/**
 * How often the model was already asked to fix this problem, on the path up to the message: rounds in which the user
 * sent the message about a broken call of the same tool. The user's own text starts the count again; results don't.
 */
export function fixRounds(
  path: readonly Message[],
  messageId: string,
  trouble: CountedBrokenCall,
  brokenOf: (reply: AssistantMessage) => readonly CountedBrokenCall[],
): number {
  const at = path.findIndex((message) => message.id === messageId)
  let rounds = 0
  for (let i = at - 1; i > 0; i--) {
    const asked = path[i]
    const reply = path[i - 1]
    if (asked?.role !== 'user' || !hasText(asked)) continue
    if (reply?.role !== 'assistant') break
    const fixed = brokenOf(reply).find((broken) => broken.message === asked.text)
    if (!fixed) break
    if (isSame(fixed, trouble)) rounds += 1
  }
  return rounds
}

/** A call whose tool could not be read may be of any tool. */
const isSame = (a: CountedBrokenCall, b: CountedBrokenCall): boolean =>
  a.name === undefined || b.name === undefined || a.name === b.name

/** Everything that the state of a call depends on. */
export interface CallFacts {
  /** How the reply with the call ended; null while it is being written. */
  readonly reply: ReplyOutcome | null
  /** False for a call with a problem. */
  readonly runnable: boolean
  /** The problem of a call that can't run: there is no such tool. */
  readonly unknownTool?: boolean
  readonly record: CallRecord | undefined
  /** What this tab knows: it runs here, or ended here and is on its way to the server. */
  readonly live: LiveCall | undefined
  /** Who holds the call's Web Lock: a tab of this browser, nobody, or not asked yet. */
  readonly runner: 'held' | 'free' | 'unknown'
  /** A later message of the branch contains results of this reply. */
  readonly posted: boolean
  /** The user sent another message after this reply. */
  readonly overtaken: boolean
}

/**
 * Derives the state of a call: replays what is stored and what this tab knows as events, in the order they happened.
 */
export const deriveCallState = (facts: CallFacts): CallState => [...eventsOf(facts)].reduce(reduceCall, unread)

function* eventsOf(facts: CallFacts): Generator<CallEvent> {
  const { reply, record, live } = facts
  if (reply === null) return
  // A decision stays visible if its tool was switched off since.
  const runnability = record ? 'runnable' : runnabilityOf(facts)
  yield { type: 'reply-ended', outcome: reply, runnability }
  const posted = facts.posted || (record?.postedIn ?? null) !== null
  if (record) yield* eventsOfRecord(record, live, posted)
  if (live && runnability === 'runnable') yield* eventsOfTab(live, record)
  if (record?.outcome === null && !isMine(live, record) && facts.runner === 'free') {
    const { attempt, stopped } = record
    yield stopped ? { type: 'run-stopped', attempt, outcome: stopped.outcome } : { type: 'runner-lost', attempt }
  }
  if (facts.overtaken) yield { type: 'chat-went-on' }
  if (posted) yield { type: 'results-posted' }
}

function runnabilityOf({ runnable, unknownTool }: CallFacts): CallRunnability {
  if (runnable) return 'runnable'
  return unknownTool ? 'unknown-tool' : 'not-runnable'
}

/** This tab runs the same attempt that the row grants. */
const isMine = (live: LiveCall | undefined, record: CallRecord): boolean =>
  live !== undefined &&
  live.attempt === record.attempt &&
  !live.queued &&
  (live.problem === null || live.outcome !== null)

function* eventsOfRecord(record: CallRecord, live: LiveCall | undefined, posted: boolean): Generator<CallEvent> {
  const { attempt, outcome, gated, release, decidedAt } = record
  if (record.decision === 'deny') return yield { type: 'call-denied', reason: record.reason }
  if (record.decision === 'skip') return yield { type: 'call-skipped' }
  const here = live !== undefined && outcome === null && isMine(live, record)
  yield { type: 'run-granted', attempt, at: here ? live.startedAt : decidedAt, here }
  if (!outcome) {
    if (record.stopped?.outcome && !here) yield { type: 'run-stopped', attempt, outcome: record.stopped.outcome }
    return
  }
  // A posted result no longer waits, whatever the gate said before.
  yield { type: 'outcome-stored', attempt, outcome, gated: gated && (release !== null || !posted) }
  if (gated && release) yield { type: 'result-released', release }
}

/** This tab may be ahead of the row that it has seen; if it is behind, its information is outdated. */
function* eventsOfTab(live: LiveCall, record: CallRecord | undefined): Generator<CallEvent> {
  const { attempt, outcome, problem, queued, startedAt, review, question, inner = [], waitsForTurn } = live
  const known = record?.attempt ?? 0
  if (record?.outcome || attempt < known) return
  // Run again is offered only when the attempt before it is over.
  if (record && attempt > known && (queued || problem === null)) yield { type: 'runner-lost', attempt: known }
  if (queued) yield { type: 'call-queued' }
  else if (outcome) {
    yield { type: 'run-granted', attempt, at: startedAt, here: true }
    yield { type: 'run-ended', attempt, outcome }
  } else if (problem === null) {
    yield { type: 'run-asked', attempt, at: startedAt }
    if (waitsForTurn) yield { type: 'turn-awaited', attempt }
    if (review) yield { type: 'review-asked', attempt, review }
    if (question) yield { type: 'question-asked', attempt, question }
    const count = inner.filter(({ stage }) => stage === 'asked').length
    if (count > 0) yield { type: 'tools-asked', attempt, count }
  }
}
