import type { JsonValue } from '@/lib/base/json'
import type { CallOutcome, CallRecord, GrantScope } from '@/lib/shared/conversation/call-record'
import type { ReleaseResult } from '@/lib/shared/conversation/wire/call-requests'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { FileReview } from '@/lib/shared/tools/tool'

/** The fields of every question. */
interface Asked {
  readonly conversationId: string
  readonly messageId: string
  /** Why the previous answer could not be carried out; null: there was none. */
  readonly problem: string | null
}

/** A call that waits for the user. */
export interface ExecutionApprovalRequest extends Asked {
  readonly call: MessageCall
  /** How often the same call (tool and arguments) was requested since the user's last message; 1 at first. */
  readonly repeats: number
  /** The scopes for which the approval may be remembered; [] if the call must be approved every time. */
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
      /** The user's input, if the tool asks for it; without it such a call does not run. */
      readonly answer?: JsonValue
      readonly remember?: GrantScope['kind']
      /** With `remember`: slots of other waiting calls that the user included in the same click. */
      readonly alsoRun?: readonly number[]
    }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'skip' }
  | Later

/** A result that waits for the user. */
export interface ResultApprovalRequest extends Asked {
  readonly call: MessageCall
  readonly outcome: CallOutcome
  readonly decidedBy: CallRecord['by']
}

export type ResultDecision = ReleaseResult['release'] | Later

/** A call's code ran, and its changes wait for review: no file has been changed. */
export interface FileReviewRequest extends Asked {
  readonly call: MessageCall
  readonly review: FileReview
}

export type FileReviewDecision = { readonly kind: 'keep' } | { readonly kind: 'discard' } | Later

/** The limit of tool rounds is reached: nothing runs automatically until the user allows it. */
export interface RoundsRequest extends Asked {
  /** Rounds of results since the user's last message. */
  readonly rounds: number
}

export type RoundsDecision =
  /** The results may be sent, and these calls run, which would have run automatically. */
  { readonly kind: 'continue'; readonly slots: readonly number[] } | Later

/** The decisions on each kind of question. */
export interface Decisions {
  readonly run: ExecutionDecision
  readonly result: ResultDecision
  readonly review: FileReviewDecision
  readonly rounds: RoundsDecision
}
export type QuestionKind = keyof Decisions

/**
 * Asks the user. The core is independent of screens: it asks an adapter and carries out the answer. Implementations:
 * the cards in the chat, a dialog over the chat, and the playground.
 *
 * Each method resolves once and never rejects. The signal aborts when the question is void (it was answered here or in
 * another tab, the user wrote something else, or the conversation was left); the adapter then resolves with `later`. A
 * screen that can't show a question resolves with `later` at once: the cards are always asked, too.
 */
export interface ApprovalUIAdapter {
  showToolExecutionApproval(request: ExecutionApprovalRequest, signal: AbortSignal): Promise<ExecutionDecision>
  showToolResultApproval(request: ResultApprovalRequest, signal: AbortSignal): Promise<ResultDecision>
  showFileReview(request: FileReviewRequest, signal: AbortSignal): Promise<FileReviewDecision>
  showRoundsLimit(request: RoundsRequest, signal: AbortSignal): Promise<RoundsDecision>
}

/** For a screen that shows only calls and results: other questions are shown on the cards alone. */
export const leaveToCards = {
  showFileReview: () => Promise.resolve({ kind: 'later' }),
  showRoundsLimit: () => Promise.resolve({ kind: 'later' }),
} as const satisfies Partial<ApprovalUIAdapter>

/** A question that waits on a screen; `answer` counts once. */
export type OpenQuestion =
  | {
      readonly kind: 'run'
      readonly id: number
      readonly request: ExecutionApprovalRequest
      readonly answer: (decision: ExecutionDecision) => void
    }
  | {
      readonly kind: 'result'
      readonly id: number
      readonly request: ResultApprovalRequest
      readonly answer: (decision: ResultDecision) => void
    }

/** An adapter for screens that show the open questions elsewhere: it provides them as a list to subscribe to. */
export interface QuestionList extends ApprovalUIAdapter {
  /** In the order of the calls in their reply; the same array until something changes. */
  readonly list: () => readonly OpenQuestion[]
  readonly subscribe: (listener: () => void) => () => void
}

export function createQuestionList(): QuestionList {
  const listeners = new Set<() => void>()
  let open: readonly OpenQuestion[] = []
  let ids = 0

  function show(next: readonly OpenQuestion[]): void {
    open = next
    for (const listener of listeners) listener()
  }

  function ask<Decision>(
    signal: AbortSignal,
    questionOf: (id: number, answer: (decision: Decision) => void) => OpenQuestion,
  ): Promise<Decision | Later> {
    if (signal.aborted) return Promise.resolve({ kind: 'later' })
    return new Promise((resolve) => {
      const id = (ids += 1)
      const settle = (decision: Decision | Later) => {
        signal.removeEventListener('abort', onAbort)
        resolve(decision)
        if (open.some((question) => question.id === id)) show(open.filter((question) => question.id !== id))
      }
      const onAbort = () => settle({ kind: 'later' })
      signal.addEventListener('abort', onAbort, { once: true })
      // A changed call is asked about again, and keeps its place among the others.
      show([...open, questionOf(id, settle)].toSorted((a, b) => a.request.call.slot - b.request.call.slot))
    })
  }

  return {
    showToolExecutionApproval: (request, signal) =>
      ask<ExecutionDecision>(signal, (id, answer) => ({ kind: 'run', id, request, answer })),
    showToolResultApproval: (request, signal) =>
      ask<ResultDecision>(signal, (id, answer) => ({ kind: 'result', id, request, answer })),
    ...leaveToCards,
    list: () => open,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
