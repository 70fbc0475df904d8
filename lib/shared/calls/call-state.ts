import type { ReplyOutcome } from '@/lib/shared/conversation/conversation'
import type { CallOutcome, WithheldBy, ResultRelease, CallRecord } from '@/lib/shared/conversation/call-record'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ServerQuestion } from '@/lib/shared/mcp/server-question'
import type { FileReview } from '@/lib/shared/tools/tool'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'

/**
 * The state of one call. Derived, never stored: a function of the message's text, the decision row and (in this tab)
 * what runs now. Only `deriveCallState` in this folder creates it.
 */
export type CallState =
  /** The reply is still being written. */
  | { readonly status: 'pending' }
  /** The reply did not finish, so nothing in it may run. */
  | { readonly status: 'not_offered'; readonly outcome: Exclude<ReplyOutcome, 'finished'> }
  | { readonly status: 'awaiting_approval' }
  /** Clicked in this tab; runs when its turn has come. `before`: its state if it is taken out again. */
  | { readonly status: 'queued'; readonly before?: CallState }
  | {
      readonly status: 'executing'
      readonly here: boolean
      readonly startedAt: number
      readonly attempt: number
      /**
       * Set while the server is still being asked: nothing has run yet, and `before` is the state if the server
       * refuses.
       */
      readonly asking?: { readonly before: CallState }
      /** Granted, but the limit of parallel calls is reached, so it has not started. */
      readonly waitsForTurn?: true
      /** Set once it ran and its changes wait for the user: nothing of it has reached the files. */
      readonly review?: FileReview
      /** Set while the server that runs it asks the user something. */
      readonly question?: ServerQuestion
      /** How many tools of its code wait for the user; set only if some do. */
      readonly innerAsked?: number
    }
  /** It ran (successfully or not), and the model gets nothing of it before the user decides. */
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
  /** It ran, and its result is withheld; until it is posted it can still be sent. */
  | {
      readonly status: 'result_rejected'
      readonly outcome: CallOutcome
      readonly by: WithheldBy
      readonly note: string
      readonly attempt: number
      readonly posted: boolean
    }
  /**
   * Stopped by the user. Until it is settled it may run again, or be reported to the model as it is. `outcome`: its
   * output and changes until then; null if its page closed before it could report them.
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
  /** Its tab closed while it ran, and nobody had stopped it; `settled` as with `cancelled`. */
  | { readonly status: 'interrupted'; readonly attempt: number; readonly settled: boolean; readonly posted: boolean }
  /** No such tool: it can be amended, else the model gets the nearest names. */
  | { readonly status: 'not_found'; readonly posted: boolean }
  /** Invalid arguments, disabled or duplicate: shown, but can't run as it is. */
  | { readonly status: 'not_runnable'; readonly posted: boolean }

/** The user's answer to a tool that code calls. `answer`: for a tool that asks the user. */
export type InnerDecision =
  | { readonly kind: 'run'; readonly answer?: JsonValue }
  | { readonly kind: 'deny'; readonly reason: string }

/** A tool that the code of a call calls, in the tab that runs the code. Stored in the call's row once it is decided. */
export interface LiveInner {
  readonly n: number
  readonly name: string
  readonly arguments: JsonObject
  /** `running`: also while its rules are checked. */
  readonly stage: 'asked' | 'running'
  readonly startedAt: number
  /** Why the user is asked although a rule would run it, or that it may have run before. */
  readonly problem: string | null
}

/** A call that runs in this tab, or an outcome that is still on its way to the server. */
export interface LiveCall {
  /** True while it waits for the calls before it in a "Run all"; nothing was decided yet. */
  readonly queued?: boolean
  /**
   * True while the limit of parallel calls is reached: it was granted, and has not begun. `startedAt` is then when it
   * began to wait.
   */
  readonly waitsForTurn?: boolean
  readonly startedAt: number
  readonly attempt: number
  readonly events: readonly SandboxEvent[]
  /** Set when it ended here and the server has not confirmed yet. */
  readonly outcome: CallOutcome | null
  /**
   * It ran, and its changes wait for the user's decision (`CallActions.answerReview`); nothing has reached the files.
   */
  readonly review?: FileReview
  /** Its server asks the user something, and continues with the answer (`CallActions.answerQuestion`). */
  readonly question?: ServerQuestion
  /** Tools that the code now waits for, in order (`CallActions.answerInner`). */
  readonly inner?: readonly LiveInner[]
  /** A sentence when deciding or saving failed; the card offers to try again. */
  readonly problem: string | null
  /**
   * True if it was queued behind a call that failed, and was therefore not started. It waits again: the batch may be
   * continued (`run` the rest), one call left out (`skip`, then `run` the rest), or the results sent (`skip` the rest).
   */
  readonly leftOver?: boolean
}

/** How long the results of a reply wait for the reason of a denial without one, ms. */
export const REASON_MS = 5_000

/** Denied by the user without a reason, which may still be added: it was not sent to the model yet. */
export const isUnexplained = (row: CallRecord | undefined): boolean =>
  row?.decision === 'deny' && row.by.kind === 'click' && row.reason === '' && row.postedIn === null

/**
 * Returns the later of two rows of one call. Responses can overtake each other: a row with an older attempt, without
 * its outcome or stop, without the release of its result, or not posted yet, is outdated. Equal rows: the second one.
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
