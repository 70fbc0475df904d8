import type { ReplyOutcome } from '@/lib/shared/conversation/conversation'
import type { CallOutcome, ResultRelease } from '@/lib/shared/conversation/call-record'
import type { ServerQuestion } from '@/lib/shared/mcp/server-question'
import type { FileReview } from '@/lib/shared/tools/tool'
import type { CallState } from './call-state'

/** All events of one call. Each is a fact that was established elsewhere: by the server's row or this tab's run. */
export type CallEvent =
  /** The reply is complete, or will never be. */
  | { readonly type: 'reply-ended'; readonly outcome: ReplyOutcome; readonly runnability: CallRunnability }
  /** An amendment was made or undone, or a tool was switched on or off. */
  | { readonly type: 'call-read-again'; readonly runnability: CallRunnability }
  /** Queued in this tab behind other calls, and taken out again. */
  | { readonly type: 'call-queued' }
  | { readonly type: 'call-dequeued' }
  /** This tab requests an attempt from the server, and may be refused. */
  | { readonly type: 'run-asked'; readonly attempt: number; readonly at: number }
  | { readonly type: 'run-refused' }
  /** The server's row: only it lets a call run. */
  | { readonly type: 'run-granted'; readonly attempt: number; readonly at: number; readonly here: boolean }
  /** It runs in this tab as soon as one of the running calls has ended. */
  | { readonly type: 'turn-awaited'; readonly attempt: number }
  /** It ran in this tab, and the user must decide about the files that it changed. */
  | { readonly type: 'review-asked'; readonly attempt: number; readonly review: FileReview }
  /** It runs in this tab, and its server asks the user something. */
  | { readonly type: 'question-asked'; readonly attempt: number; readonly question: ServerQuestion }
  /** The call runs in this tab, and its code waits for the user to decide on tools. */
  | { readonly type: 'tools-asked'; readonly attempt: number; readonly count: number }
  | { readonly type: 'call-denied'; readonly reason: string }
  | { readonly type: 'call-skipped' }
  /** No tab holds the call's lock. */
  | { readonly type: 'runner-lost'; readonly attempt: number }
  /** The user stopped it, as the server's row says; null: its output until then will not be known. */
  | { readonly type: 'run-stopped'; readonly attempt: number; readonly outcome: CallOutcome | null }
  | { readonly type: 'run-ended'; readonly attempt: number; readonly outcome: CallOutcome }
  | {
      readonly type: 'outcome-stored'
      readonly attempt: number
      readonly outcome: CallOutcome
      readonly gated: boolean
    }
  | { readonly type: 'result-released'; readonly release: ResultRelease }
  | { readonly type: 'results-posted' }
  /** The user sent another message. */
  | { readonly type: 'chat-went-on' }

/** How a call reads now. */
export type CallRunnability = 'runnable' | 'unknown-tool' | 'not-runnable'

export const unread: CallState = { status: 'pending' }

/**
 * Reduces the events of a call. Pure; an event that is impossible in the current state returns the same state, so
 * outdated events, replays and forged sequences change nothing: a call that was denied, skipped, ended or sent stays
 * so.
 */
export function reduceCall(state: CallState, event: CallEvent): CallState {
  switch (event.type) {
    case 'reply-ended':
      if (state.status !== 'pending') return state
      return event.outcome === 'finished'
        ? stateOf(event.runnability)
        : { status: 'not_offered', outcome: event.outcome }
    case 'call-read-again':
      return isUndecided(state) && !isPosted(state) ? stateOf(event.runnability) : state
    case 'call-queued':
      return mayStart(state) ? { status: 'queued', before: state } : state
    case 'call-dequeued':
      return state.status === 'queued' ? (state.before ?? { status: 'awaiting_approval' }) : state
    case 'run-asked': {
      const before = state.status === 'queued' ? (state.before ?? { status: 'awaiting_approval' }) : state
      if (!mayStart(before) || event.attempt !== lastAttempt(before) + 1) return state
      return { status: 'executing', here: true, startedAt: event.at, attempt: event.attempt, asking: { before } }
    }
    case 'run-refused':
      return state.status === 'executing' && state.asking ? state.asking.before : state
    case 'run-granted':
      return granted(state, event)
    case 'turn-awaited':
      if (state.status !== 'executing' || state.asking || !state.here || state.attempt !== event.attempt) return state
      return { ...state, waitsForTurn: true }
    case 'review-asked':
      if (state.status !== 'executing' || state.asking || !state.here || state.attempt !== event.attempt) return state
      return { ...state, review: event.review }
    case 'question-asked':
      if (state.status !== 'executing' || state.asking || !state.here || state.attempt !== event.attempt) return state
      return { ...state, question: event.question }
    case 'tools-asked':
      if (state.status !== 'executing' || state.asking || !state.here || state.attempt !== event.attempt) return state
      return { ...state, innerAsked: event.count }
    case 'call-denied':
      return isOpenToWord(state) ? { status: 'execution_rejected', reason: event.reason, posted: false } : state
    case 'call-skipped':
      return isOpenToWord(state) ? { status: 'skipped' } : state
    case 'chat-went-on':
      // While the server is being asked, its response says who was first.
      return state.status !== 'executing' && isOpenToWord(state) ? { status: 'skipped' } : state
    case 'runner-lost':
      if (state.status !== 'executing' || state.asking || state.attempt !== event.attempt) return state
      return { status: 'interrupted', attempt: event.attempt, settled: false, posted: false }
    case 'run-stopped': {
      if (state.status !== 'executing' || state.asking || state.attempt !== event.attempt) return state
      const { attempt, outcome } = event
      return { status: 'cancelled', outcome, attempt, settled: false, posted: false }
    }
    case 'run-ended':
      if (state.status !== 'executing' || state.asking || state.attempt !== event.attempt) return state
      return ended(event.outcome, event.attempt, false)
    case 'outcome-stored':
      return stored(state, event)
    case 'result-released':
      return released(state, event.release)
    case 'results-posted':
      return posted(state)
  }
}

function stateOf(runnability: CallRunnability): CallState {
  switch (runnability) {
    case 'runnable':
      return { status: 'awaiting_approval' }
    case 'unknown-tool':
      return { status: 'not_found', posted: false }
    case 'not-runnable':
      return { status: 'not_runnable', posted: false }
  }
}

/** Nothing was decided or requested yet. */
const isUndecided = ({ status }: CallState): boolean =>
  status === 'awaiting_approval' || status === 'not_found' || status === 'not_runnable'

/** A denial still counts: nothing was granted. The server's row overrides what this tab only queued or requests. */
const isOpenToWord = (state: CallState): boolean =>
  state.status === 'awaiting_approval' ||
  (state.status === 'queued' && (state.before ?? { status: 'awaiting_approval' }).status === 'awaiting_approval') ||
  (state.status === 'executing' && state.asking?.before.status === 'awaiting_approval')

/** The next attempt may begin: nothing was decided, or the last attempt ended without a result that counts. */
const mayStart = (state: CallState): boolean =>
  state.status === 'awaiting_approval' ||
  ((state.status === 'cancelled' || state.status === 'interrupted') && !state.settled && !state.posted)

function granted(state: CallState, event: Extract<CallEvent, { type: 'run-granted' }>): CallState {
  const { attempt, at, here } = event
  const next: CallState = { status: 'executing', here, startedAt: at, attempt }
  if (state.status === 'queued') return attempt > lastAttempt(state) ? next : state
  if (state.status === 'executing') {
    const asked = state.asking ? lastAttempt(state.asking.before) : state.attempt
    return attempt > asked ? next : state
  }
  return mayStart(state) && attempt > lastAttempt(state) ? next : state
}

/** The last attempt that the server granted; 0 if there was none. */
function lastAttempt(state: CallState): number {
  switch (state.status) {
    case 'queued':
      return state.before ? lastAttempt(state.before) : 0
    case 'executing':
      return state.asking ? lastAttempt(state.asking.before) : state.attempt
    case 'cancelled':
    case 'interrupted':
      return state.attempt
    default:
      return 0
  }
}

function ended(outcome: CallOutcome, attempt: number, settled: boolean): CallState {
  const unsaved = settled ? {} : { unsaved: { attempt } }
  switch (outcome.status) {
    case 'completed':
      return { status: 'completed', outcome, release: null, posted: false, ...unsaved }
    case 'error':
    case 'not_found':
      return { status: 'error', outcome, release: null, posted: false, ...unsaved }
    case 'cancelled':
      return { status: 'cancelled', outcome, attempt, settled, posted: false }
    case 'interrupted':
    case 'unfinished':
      return { status: 'interrupted', attempt, settled, posted: false }
    case 'execution_rejected':
    case 'result_rejected':
      return { status: 'execution_rejected', reason: '', posted: false }
    case 'skipped':
      return { status: 'skipped' }
  }
}

/** The first stored outcome of the current attempt; nothing replaces it. */
function stored(state: CallState, event: Extract<CallEvent, { type: 'outcome-stored' }>): CallState {
  const { attempt, outcome, gated } = event
  if (attemptOpen(state) !== attempt) return state
  return gated ? { status: 'awaiting_result_approval', outcome, attempt } : ended(outcome, attempt, true)
}

/** The granted attempt whose outcome is not stored; null if there is none. */
function attemptOpen(state: CallState): number | null {
  switch (state.status) {
    case 'executing':
      return state.asking ? null : state.attempt
    case 'cancelled':
    case 'interrupted':
      return state.settled || state.posted ? null : state.attempt
    case 'completed':
    case 'error':
      return state.unsaved?.attempt ?? null
    default:
      return null
  }
}

/** The first release counts, except that a withheld result may still be sent until it is posted. */
function released(state: CallState, release: ResultRelease): CallState {
  if (state.status !== 'awaiting_result_approval' && (state.status !== 'result_rejected' || state.posted)) return state
  const { outcome, attempt } = state
  if (release.kind === 'withheld') {
    if (state.status === 'result_rejected') return state
    return { status: 'result_rejected', outcome, by: release.by, note: release.note, attempt, posted: false }
  }
  const after = ended(outcome, attempt, true)
  return after.status === 'completed' || after.status === 'error' ? { ...after, release } : after
}

const isPosted = (state: CallState): boolean => 'posted' in state && state.posted

/**
 * A call that waits, runs, is gated or is not stored can't be posted. For a run that was stopped or whose page is gone
 * the model got what was known: because the user settled it, or sent another message.
 */
function posted(state: CallState): CallState {
  if (isPosted(state)) return state
  switch (state.status) {
    case 'completed':
    case 'error':
      return state.unsaved ? state : { ...state, posted: true }
    case 'cancelled':
    case 'interrupted':
    case 'execution_rejected':
    case 'result_rejected':
    case 'not_found':
    case 'not_runnable':
      return { ...state, posted: true }
    case 'pending':
    case 'not_offered':
    case 'awaiting_approval':
    case 'queued':
    case 'executing':
    case 'awaiting_result_approval':
    case 'skipped':
      return state
  }
}
