import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { ApprovalUIAdapter, Decisions, Later, QuestionKind } from './approval-ui'
import type { MonotonicClock } from '@/lib/base/clocks'
import type { Decision } from '@/lib/client/browser/attention'
import type { MessageCall } from '@/lib/shared/calls/message-calls'

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

interface Questions<Given> {
  readonly ask: (key: ApprovalKey, problem: string | null, signal: AbortSignal) => Promise<Given | Later>
  readonly answer: (key: ApprovalKey, decision: Given) => Promise<string | null>
}

type Tell = (problem: string | null) => void

function createQuestions<Given>(monotonic: MonotonicClock): Questions<Given> {
  const pending = new Map<ApprovalKey, (decision: Given | Later) => void>()
  const early = new Map<ApprovalKey, { readonly decision: Given; readonly givenMs: number; readonly tell: Tell }>()
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
      const counts = known !== undefined && !signal.aborted && monotonic() - known.givenMs <= EARLY_ANSWER_MS
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
        const settle = (decision: Given | Later) => {
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
      return new Promise((resolve) => {
        if (settle) {
          answered.set(key, resolve)
          settle(decision)
        } else {
          early.get(key)?.tell(null)
          early.set(key, { decision, givenMs: monotonic(), tell: resolve })
        }
      })
    },
  }
}

export interface CountPorts {
  readonly monotonic: MonotonicClock
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Since when the page has been in view, by `monotonic`. */
  readonly inViewSince: () => number
  readonly record: (decision: Decision) => void
}

/** Nobody reads and presses within this time: the press came before the question, while code was loading. */
const minMs = 100
/** How many open questions keep their start time. Questions of other chats can stay open for long. */
const maxOpen = 200

/**
 * Counts decisions on the given screens. Reading begins when a call is first asked about, on any screen, and not before
 * the page comes into view. Calls decided by one press count as one decision.
 */
export function countDecisions({ monotonic, now, inViewSince, record }: CountPorts) {
  const started = new Map<string, number>()
  let pressed: Decision | null = null

  function decided(ms: number, isApproval: boolean): void {
    if (pressed) {
      pressed = { ...pressed, cards: pressed.cards + 1, isApproval: pressed.isApproval && isApproval }
      return
    }
    pressed = { at: now(), ms: ms < minMs ? null : Math.round(ms), isApproval, cards: 1 }
    // The answers of one press settle within a few microtasks, so before any timer.
    setTimeout(() => {
      if (pressed) record(pressed)
      pressed = null
    })
  }

  async function count<D extends { readonly kind: string }>(
    request: { readonly messageId: string; readonly call: MessageCall; readonly problem: string | null },
    what: string,
    isApproval: (decision: D) => boolean,
    ask: Promise<D>,
  ): Promise<D> {
    const key = `${what} ${approvalKey(request.messageId, request.call)}`
    if (started.size >= maxOpen) started.clear()
    if (!started.has(key)) started.set(key, monotonic())
    const decision = await ask
    // The question is asked again after a failure; the press was already counted.
    if (decision.kind === 'later' || request.problem !== null) return decision
    const since = Math.max(started.get(key) ?? monotonic(), inViewSince())
    started.delete(key)
    decided(monotonic() - since, isApproval(decision))
    return decision
  }

  return (screen: ApprovalUIAdapter): ApprovalUIAdapter => ({
    ...screen,
    showToolExecutionApproval: (request, signal) =>
      count(request, 'run', ({ kind }) => kind === 'run', screen.showToolExecutionApproval(request, signal)),
    showToolResultApproval: (request, signal) =>
      count(request, 'result', ({ kind }) => kind !== 'withheld', screen.showToolResultApproval(request, signal)),
    showFileReview: (request, signal) =>
      count(request, 'review', ({ kind }) => kind === 'keep', screen.showFileReview(request, signal)),
  })
}
