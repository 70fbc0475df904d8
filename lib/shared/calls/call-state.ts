import type {
  CallOutcome,
  KeptBy,
  ReplyOutcome,
  ResultRelease,
  CallRecord,
} from '@/lib/shared/conversation/conversation'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ServerQuestion } from '@/lib/shared/mcp/server-question'
import type { FileReview } from '@/lib/shared/tools/tool'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'

/**
 * The state of one call. Derived, never stored: a function of the message's text, the decision row and (in this tab)
 * what runs now. `deriveCallState` in this folder is the only place that makes one.
 */
export type CallState =
  /** The reply is still being written. */
  | { readonly status: 'pending' }
  /** The reply did not finish, so nothing in it may run. */
  | { readonly status: 'not_offered'; readonly outcome: Exclude<ReplyOutcome, 'finished'> }
  | { readonly status: 'awaiting_approval' }
  /** Clicked in this tab; runs when its turn has come. `before`: what it is again if it is taken out. */
  | { readonly status: 'queued'; readonly before?: CallState }
  | {
      readonly status: 'executing'
      readonly here: boolean
      readonly startedAt: number
      readonly attempt: number
      /** Set while the server is still being asked: nothing has run yet, and `before` is what it is if it refuses. */
      readonly asking?: { readonly before: CallState }
      /** Granted, and as many run as may at once: nothing of it has begun. */
      readonly waitsForTurn?: true
      /** Set once it ran and what it changed waits for the user: nothing of it has reached the files. */
      readonly review?: FileReview
      /** Set while the server that runs it asks the user something. */
      readonly question?: ServerQuestion
      /** Set while its code asks for tools that wait for the user: how many. */
      readonly innerAsked?: number
    }
  /** It ran (well or not), and the model gets nothing of it before the user says what. */
  | { readonly status: 'awaiting_result_approval'; readonly outcome: CallOutcome; readonly attempt: number }
  | {
      readonly status: 'completed'
      readonly outcome: CallOutcome
      readonly release: ResultRelease | null
      readonly posted: boolean
      /** Set while the outcome is only in this tab, on its way to the server. */
      readonly unsaved?: { readonly attempt: number }
    }
  | {
      readonly status: 'error'
      readonly outcome: CallOutcome
      readonly release: ResultRelease | null
      readonly posted: boolean
      /** Set while the outcome is only in this tab, on its way to the server. */
      readonly unsaved?: { readonly attempt: number }
    }
  /** It ran, and its result is kept here; until it is posted it can be sent after all. */
  | {
      readonly status: 'result_rejected'
      readonly outcome: CallOutcome
      readonly by: KeptBy
      readonly note: string
      readonly attempt: number
      readonly posted: boolean
    }
  /**
   * Stopped by the user. Until it is settled it may run again, or be told to the model as it is. `outcome`: what it had
   * said and done by then; null when its page went before it could say.
   */
  | {
      readonly status: 'cancelled'
      readonly outcome: CallOutcome | null
      readonly attempt: number
      readonly settled: boolean
      readonly posted: boolean
    }
  | { readonly status: 'execution_rejected'; readonly reason: string; readonly posted: boolean }
  | { readonly status: 'skipped' }
  /** Its tab went away while it ran, and nobody had stopped it; `settled` as with `cancelled`. */
  | { readonly status: 'interrupted'; readonly attempt: number; readonly settled: boolean; readonly posted: boolean }
  /** No such tool: it can be amended, else the model is told the nearest names. */
  | { readonly status: 'not_found'; readonly posted: boolean }
  /** Invalid arguments, disabled or duplicate: shown, not runnable as it stands. */
  | { readonly status: 'not_runnable'; readonly posted: boolean }

/** What a person says to a tool that code asks for. `answer`: of a tool that asks the user. */
export type InnerWord =
  | { readonly kind: 'run'; readonly answer?: JsonValue }
  | { readonly kind: 'deny'; readonly reason: string }

/** A tool that the code of a call asks for, in the tab that runs it; it is in the call's row once it was decided on. */
export interface LiveInner {
  readonly n: number
  readonly name: string
  readonly arguments: JsonObject
  /** `running`: also while its rules are looked at. */
  readonly stage: 'asked' | 'running'
  readonly startedAt: number
  /** Why it is asked about though a rule was to run it; or that it may have run before. */
  readonly problem: string | null
}

/** A call that runs in this tab, or an outcome that is still on its way to the server. */
export interface LiveCall {
  /** True while it waits for the calls before it in a "Run all"; nothing was decided yet. */
  readonly queued?: boolean
  /** True while as many calls run as may at once: it was granted, and has not begun. `startedAt` is then where it began to wait. */
  readonly waitsForTurn?: boolean
  readonly startedAt: number
  readonly attempt: number
  readonly events: readonly SandboxEvent[]
  /** Set when it ended here and the server has not confirmed yet. */
  readonly outcome: CallOutcome | null
  /** It ran, and what it changed waits for the user's word (`CallActions.answerReview`); nothing has reached the files. */
  readonly review?: FileReview
  /** Its server asks the user something, and goes on with the answer (`CallActions.answerQuestion`). */
  readonly question?: ServerQuestion
  /** Tools that its code asks for now, in the order of asking (`CallActions.answerInner`). */
  readonly inner?: readonly LiveInner[]
  /** A sentence when deciding or saving failed; the card offers to try again. */
  readonly problem: string | null
  /**
   * True when it was booked behind a call that failed, and was therefore not started: it waits again, and the batch may
   * be continued (`run` the rest), one left out (`skip`, then `run` the rest), or what is done be sent (`skip` the rest).
   */
  readonly leftOver?: boolean
}

/** How long the results of a reply wait for the reason of a denial that was given none, ms. */
export const REASON_MS = 5_000

/** Denied by a person without a reason, which may still be added: the model was not told yet. */
export const isUnexplained = (row: CallRecord | undefined): boolean =>
  row?.decision === 'deny' && row.by.kind === 'click' && row.reason === '' && row.postedIn === null

/**
 * Which of two rows of one call is the later one. Answers can overtake each other: an older attempt, one without its
 * outcome or its stop, without the user's word on its result, or not posted yet, is old news. Equal rows: the second one.
 */
export function newerRecord(a: CallRecord, b: CallRecord): CallRecord {
  const before = age(a)
  const after = age(b)
  for (const [index, at] of before.entries()) {
    const other = after[index] ?? 0
    if (at !== other) return at > other ? a : b
  }
  return b
}

/** Grows with everything that can happen to a row, the rarest first. */
const age = ({ attempt, outcome, stopped, postedIn, release, inner = [] }: CallRecord): readonly number[] => [
  attempt,
  outcome ? 1 : 0,
  stopped ? 1 + Number(stopped.outcome !== null) : 0,
  postedIn === null ? 0 : 1,
  release ? 1 + Number(release.kind !== 'withheld') : 0,
  release?.releasedAt ?? 0,
  inner.length,
  inner.filter((one) => one.outcome !== null).length,
]
