import { canonicalJson } from '@/lib/strategies/canonical-json'
import type { ApprovalUIAdapter, ExecutionDecision, ResultDecision } from './approval-ui'
import type { MessageCall } from '@/lib/calls/message-calls'

/** Names a question by what the person saw: an answer never counts for a call that was changed since. */
export type ApprovalKey = string

export const approvalKey = (messageId: string, { slot, call }: MessageCall): ApprovalKey =>
  canonicalJson([messageId, slot, call.name, call.arguments])

/** The cards of the chat as an adapter: the question is the card itself, so asking shows nothing new. */
export interface InlineApproval extends ApprovalUIAdapter {
  /** One decision for one or several calls; calls of one message that are answered together start together, in order. */
  readonly answer: (keys: ApprovalKey | readonly ApprovalKey[], decision: ExecutionDecision) => void
  readonly answerResult: (key: ApprovalKey, decision: ResultDecision) => void
}

/** A click may come before its question, while the code that asks is still being loaded; not for longer. */
const EARLY_ANSWER_MS = 10_000

export function createInlineApproval({ now }: { readonly now: () => number }): InlineApproval {
  const executions = createQuestions<ExecutionDecision>(now)
  const results = createQuestions<ResultDecision>(now)
  return {
    showToolExecutionApproval: ({ messageId, call }, signal) => executions.ask(approvalKey(messageId, call), signal),
    showToolResultApproval: ({ messageId, call }, signal) => results.ask(approvalKey(messageId, call), signal),
    answer(keys, decision) {
      for (const key of typeof keys === 'string' ? [keys] : keys) executions.answer(key, decision)
    },
    answerResult: (key, decision) => results.answer(key, decision),
  }
}

type Later = { readonly kind: 'later' }

function createQuestions<Decision>(now: () => number) {
  const pending = new Map<ApprovalKey, (decision: Decision | Later) => void>()
  const early = new Map<ApprovalKey, { readonly decision: Decision; readonly at: number }>()
  const asked = new Set<ApprovalKey>()

  return {
    ask: (key: ApprovalKey, signal: AbortSignal): Promise<Decision | Later> => {
      const known = early.get(key)
      early.delete(key)
      asked.add(key)
      if (signal.aborted) return Promise.resolve({ kind: 'later' })
      if (known && now() - known.at <= EARLY_ANSWER_MS) return Promise.resolve(known.decision)
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
    answer: (key: ApprovalKey, decision: Decision): void => {
      const settle = pending.get(key)
      if (settle) settle(decision)
      // The second click of two: it must not answer the question should that have to be asked again.
      else if (!asked.has(key)) early.set(key, { decision, at: now() })
    },
  }
}
