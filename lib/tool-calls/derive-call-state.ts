import type { CallOutcome, CallRecord, ReplyOutcome, ResultRelease } from '@/lib/chat/conversation'
import type { LiveCall } from '@/lib/client/state'
import type { CallState } from './call-state'

/** All that the state of a call depends on. */
export interface CallFacts {
  /** How the reply that holds the call ended; null while it is being written. */
  readonly reply: ReplyOutcome | null
  /** False for a call with a problem. */
  readonly runnable: boolean
  /** The problem of a call that is not runnable: there is no such tool. */
  readonly unknownTool?: boolean
  readonly record: CallRecord | undefined
  /** What this tab knows: it runs here, or ended here and is on its way to the server. */
  readonly live: LiveCall | undefined
  /** Who holds the call's Web Lock: a tab of this browser, nobody, or not asked yet. */
  readonly runner: 'held' | 'free' | 'unknown'
  /** A later message of the branch carries results of this reply. */
  readonly posted: boolean
  /** The user wrote something else after this reply. */
  readonly overtaken: boolean
}

export function deriveCallState(facts: CallFacts): CallState {
  const { reply, record } = facts
  if (reply === null) return { status: 'pending' }
  if (reply !== 'finished') return { status: 'not_offered', outcome: reply }
  const posted = facts.posted || (record?.postedIn ?? null) !== null
  if (!facts.runnable) return { status: facts.unknownTool ? 'not_found' : 'not_runnable', posted }
  if (record?.decision === 'deny') return { status: 'execution_rejected', reason: record.reason, posted }
  if (record?.decision === 'skip') return { status: 'skipped' }
  if (record?.outcome) {
    const { outcome, attempt, gated, release } = record
    if (gated && release === null && !posted) return { status: 'awaiting_result_approval', outcome, attempt }
    if (release?.kind === 'withheld') return { status: 'result_rejected', outcome, note: release.note, attempt, posted }
    return fromOutcome(outcome, { attempt, settled: true, posted, release })
  }

  const live = facts.live && facts.live.attempt >= (record?.attempt ?? 0) ? facts.live : undefined
  if (live?.outcome)
    return fromOutcome(live.outcome, { attempt: live.attempt, settled: false, posted: false, release: null })
  if (live && live.problem === null) {
    if (live.queued) return { status: 'queued' }
    return { status: 'executing', here: true, startedAt: live.startedAt, attempt: live.attempt }
  }
  if (record) {
    if (facts.runner === 'free') return { status: 'interrupted', attempt: record.attempt, settled: false, posted }
    return { status: 'executing', here: false, startedAt: record.decidedAt, attempt: record.attempt }
  }
  return facts.overtaken ? { status: 'skipped' } : { status: 'awaiting_approval' }
}

function fromOutcome(
  outcome: CallOutcome,
  {
    release,
    ...rest
  }: {
    readonly attempt: number
    readonly settled: boolean
    readonly posted: boolean
    readonly release: ResultRelease | null
  },
): CallState {
  const { posted } = rest
  switch (outcome.status) {
    case 'completed':
      return { status: 'completed', outcome, release, posted }
    case 'error':
    case 'not_found':
      return { status: 'error', outcome, release, posted }
    case 'cancelled':
      return { status: 'cancelled', outcome, ...rest }
    case 'interrupted':
      return { status: 'interrupted', ...rest }
    case 'denied':
      return { status: 'execution_rejected', reason: '', posted }
    case 'skipped':
      return { status: 'skipped' }
  }
}
