import type { JsonValue } from '@/lib/base/json'
import type { CallOutcome, CallRecord, GrantScope } from '@/lib/shared/conversation/conversation'
import type { ReleaseResult } from '@/lib/shared/conversation/wire/api-types'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { FileReview } from '@/lib/shared/tools/tool'
import type { MonotonicClock } from '@/lib/base/clocks'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'

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

/** An adapter for screens that show what is open in a place of their own: the questions as a list to follow. */
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
      // A call that was changed is asked for again, and keeps its place among the others.
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

/** Names a question by what the person saw: an answer never counts for a call that was changed since. */
type ApprovalKey = string

export const approvalKey = (messageId: string, { slot, call }: Pick<MessageCall, 'slot' | 'call'>): ApprovalKey =>
  canonicalJson([messageId, slot, call.name, call.arguments])

/** The rounds of tools are one question for each reply that they stop. */
export const roundsKey = (messageId: string): ApprovalKey => messageId

/** The cards of the chat as an adapter: the question is the card itself, so asking shows nothing new. */
export interface InlineApproval extends ApprovalUIAdapter {
  /**
   * One decision on one or several questions. Calls of one message that are answered together start together, in order.
   * Resolves with a sentence when the decision could not be carried out, so that the question is open again; else null.
   */
  readonly answer: <Kind extends QuestionKind>(
    kind: Kind,
    keys: readonly ApprovalKey[],
    decision: Decisions[Kind],
  ) => Promise<string | null>
}

/** A click may come before its question, while the code that asks is still being loaded; not for longer. */
const EARLY_ANSWER_MS = 10_000

export function createInlineApproval({ monotonic }: { readonly monotonic: MonotonicClock }): InlineApproval {
  const questions: { readonly [Kind in QuestionKind]: Questions<Decisions[Kind]> } = {
    run: createQuestions(monotonic),
    result: createQuestions(monotonic),
    review: createQuestions(monotonic),
    rounds: createQuestions(monotonic),
  }
  return {
    showToolExecutionApproval: ({ messageId, call, problem }, signal) =>
      questions.run.ask(approvalKey(messageId, call), problem, signal),
    showToolResultApproval: ({ messageId, call, problem }, signal) =>
      questions.result.ask(approvalKey(messageId, call), problem, signal),
    showFileReview: ({ messageId, call, problem }, signal) =>
      questions.review.ask(approvalKey(messageId, call), problem, signal),
    showRoundsLimit: ({ messageId, problem }, signal) => questions.rounds.ask(roundsKey(messageId), problem, signal),
    async answer(kind, keys, decision) {
      const problems = await Promise.all(keys.map((key) => questions[kind].answer(key, decision)))
      return problems.find((problem) => problem !== null) ?? null
    },
  }
}

interface Questions<Decision> {
  readonly ask: (key: ApprovalKey, problem: string | null, signal: AbortSignal) => Promise<Decision | Later>
  readonly answer: (key: ApprovalKey, decision: Decision) => Promise<string | null>
}

type Tell = (problem: string | null) => void

function createQuestions<Decision>(monotonic: MonotonicClock): Questions<Decision> {
  const pending = new Map<ApprovalKey, (decision: Decision | Later) => void>()
  const early = new Map<ApprovalKey, { readonly decision: Decision; readonly at: number; readonly tell: Tell }>()
  const asked = new Set<ApprovalKey>()
  /** Who answered, and has not heard yet what came of it. */
  const answered = new Map<ApprovalKey, Tell>()

  function tell(key: ApprovalKey, problem: string | null): void {
    answered.get(key)?.(problem)
    answered.delete(key)
  }

  return {
    ask(key, problem, signal) {
      // Asked again means: what was answered is over, well or not.
      tell(key, problem)
      const known = early.get(key)
      early.delete(key)
      asked.add(key)
      const counts = known !== undefined && !signal.aborted && monotonic() - known.at <= EARLY_ANSWER_MS
      if (known && !counts) known.tell(null)
      if (signal.aborted) return Promise.resolve({ kind: 'later' })
      signal.addEventListener('abort', () => tell(key, null), { once: true })
      if (known && counts) {
        answered.set(key, known.tell)
        return Promise.resolve(known.decision)
      }
      // The same question again takes the place of the first.
      pending.get(key)?.({ kind: 'later' })
      return new Promise((resolve) => {
        const settle = (decision: Decision | Later) => {
          if (pending.get(key) === settle) pending.delete(key)
          signal.removeEventListener('abort', onAbort)
          resolve(decision)
        }
        const onAbort = () => settle({ kind: 'later' })
        pending.set(key, settle)
        signal.addEventListener('abort', onAbort, { once: true })
      })
    },
    answer(key, decision) {
      const settle = pending.get(key)
      // The second click of two: it must not answer the question should that have to be asked again.
      if (!settle && asked.has(key)) return Promise.resolve(null)
      return new Promise((heard) => {
        if (settle) {
          answered.set(key, heard)
          settle(decision)
        } else {
          early.get(key)?.tell(null)
          early.set(key, { decision, at: monotonic(), tell: heard })
        }
      })
    },
  }
}
