import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { MonotonicClock } from '@/lib/base/clocks'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { ApprovalUIAdapter, Decisions, Later, QuestionKind } from './approval-ui'

/** Identifies a question by what the user saw: an answer never counts for a call that was changed since. */
type ApprovalKey = string

export const approvalKey = (messageId: string, { slot, call }: Pick<MessageCall, 'slot' | 'call'>): ApprovalKey =>
  canonicalJson([messageId, slot, call.name, call.arguments])

/** The round limit is one question for each reply that it stops. */
export const roundsKey = (messageId: string): ApprovalKey => messageId

/** The chat's cards as an adapter. The question is the card itself, so asking shows nothing new. */
export interface InlineApproval extends ApprovalUIAdapter {
  /**
   * Gives one decision on one or several questions. Calls of one message that are answered together start together, in
   * order. Resolves with a sentence if the decision could not be carried out and the question is open again; else null.
   */
  readonly answer: <Kind extends QuestionKind>(
    kind: Kind,
    keys: readonly ApprovalKey[],
    decision: Decisions[Kind],
  ) => Promise<string | null>
}

/** A click may come before its question, while the code that asks is still loading; but not by more than this. */
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
  /** Answers whose outcome is not known yet. */
  const answered = new Map<ApprovalKey, Tell>()

  function tell(key: ApprovalKey, problem: string | null): void {
    answered.get(key)?.(problem)
    answered.delete(key)
  }

  return {
    ask(key, problem, signal) {
      // If a question is asked again, the previous answer has been handled, successfully or not.
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
      // The same question again replaces the first.
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
      // The second of two clicks: it must not answer the question if that is asked again.
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
