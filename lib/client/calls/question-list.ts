import {
  leaveToCards,
  type ApprovalUIAdapter,
  type ExecutionApprovalRequest,
  type ExecutionDecision,
  type Later,
  type ResultApprovalRequest,
  type ResultDecision,
} from './approval-ui'

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
      // A call that was changed is asked for anew, and keeps its place among the others.
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
