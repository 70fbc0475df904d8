import type { JsonValue } from '@/lib/base/json'
import type { CallOutcome, CallRecord, GrantScope } from '@/lib/shared/conversation/conversation'
import type { ReleaseResult } from '@/lib/shared/conversation/wire/api-types'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { FileReview } from '@/lib/shared/tools/tool-runtime'

/** What each question says. */
interface Asked {
  readonly conversationId: string
  readonly messageId: string
  /** Why the answer before could not be carried out; null: there was none. */
  readonly problem: string | null
}

/** A call that waits for a person. */
export interface ExecutionApprovalRequest extends Asked {
  readonly call: MessageCall
  /** How often this very call (tool and arguments) was asked for since the user's last word; 1 at first. */
  readonly repeats: number
  /** What the answer may be remembered for; [] when it is asked every time. */
  readonly rememberable: readonly GrantScope['kind'][]
}

/** Nothing is decided: the question stays open on the cards. */
export interface Later {
  readonly kind: 'later'
}

export type ExecutionDecision =
  | {
      readonly kind: 'run'
      readonly stopAtFailure?: boolean
      /** What the person filled in, where the tool asks; without it such a call does not run. */
      readonly answer?: JsonValue
      readonly remember?: GrantScope['kind']
      /** With `remember`: slots of other calls that wait, which the person named with the same click. */
      readonly alsoRun?: readonly number[]
    }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'skip' }
  | Later

/** A result that waits for a person. */
export interface ResultApprovalRequest extends Asked {
  readonly call: MessageCall
  readonly outcome: CallOutcome
  readonly decidedBy: CallRecord['by']
}

export type ResultDecision = ReleaseResult['release'] | Later

/** Code ran, and what it changed waits: no file has been touched. */
export interface FileReviewRequest extends Asked {
  readonly call: MessageCall
  readonly review: FileReview
}

export type FileReviewDecision = { readonly kind: 'keep' } | { readonly kind: 'discard' } | Later

/** So many rounds of tools went by that nothing runs by itself until a person says so. */
export interface RoundsRequest extends Asked {
  /** Rounds of results since the user's last word. */
  readonly rounds: number
}

export type RoundsDecision =
  /** The results may go, and these calls run, which would have run by themselves. */
  { readonly kind: 'continue'; readonly slots: readonly number[] } | Later

/** What is decided on each kind of question. */
export interface Decisions {
  readonly run: ExecutionDecision
  readonly result: ResultDecision
  readonly review: FileReviewDecision
  readonly rounds: RoundsDecision
}
export type QuestionKind = keyof Decisions

/**
 * How a person is asked. The core knows no screen: it asks an adapter and carries the answer out. Implementations: the
 * cards in the chat, a dialog over the chat, and the playground.
 *
 * Each method resolves once; the signal aborts when the question is void (it was answered, here or in another tab, the user
 * wrote something else, the conversation was left) and the adapter then resolves with `later`. None rejects. A screen that
 * has no place for a question says `later` at once: the cards are always asked, too.
 */
export interface ApprovalUIAdapter {
  showToolExecutionApproval(request: ExecutionApprovalRequest, signal: AbortSignal): Promise<ExecutionDecision>
  showToolResultApproval(request: ResultApprovalRequest, signal: AbortSignal): Promise<ResultDecision>
  showFileReview(request: FileReviewRequest, signal: AbortSignal): Promise<FileReviewDecision>
  showRoundsLimit(request: RoundsRequest, signal: AbortSignal): Promise<RoundsDecision>
}

/** For a screen that has a place for calls and results only: the rest stands in the cards alone. */
export const leaveToCards = {
  showFileReview: () => Promise.resolve({ kind: 'later' }),
  showRoundsLimit: () => Promise.resolve({ kind: 'later' }),
} as const satisfies Partial<ApprovalUIAdapter>
