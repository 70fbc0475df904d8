import type { MonotonicClock } from '@/lib/base/clocks'
import type { Decision } from '@/lib/client/browser/attention'
import type { ApprovalUIAdapter } from './approval-ui'
import { approvalKey } from './inline-approval'
import type { MessageCall } from '@/lib/shared/calls/message-calls'

export interface CountPorts {
  readonly monotonic: MonotonicClock
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Since when the page has been in view, by `monotonic`. */
  readonly inViewSince: () => number
  readonly record: (decision: Decision) => void
}

/** Nobody reads and presses within this time: the press came before the question, while code was loading. */
const leastMs = 100
/** How many open questions keep their start time. Questions of other chats can stay open for long. */
const mostOpen = 200

/**
 * Counts decisions on the given screens. Reading begins when a call is first asked about, on any screen, and not before
 * the page comes into view. Calls decided by one press count as one decision.
 */
export function countDecisions({ monotonic, now, inViewSince, record }: CountPorts) {
  const begun = new Map<string, number>()
  let pressed: Decision | null = null

  function decided(ms: number, isApproval: boolean): void {
    if (pressed) {
      pressed = { ...pressed, cards: pressed.cards + 1, isApproval: pressed.isApproval && isApproval }
      return
    }
    pressed = { at: now(), ms: ms < leastMs ? null : Math.round(ms), isApproval, cards: 1 }
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
    if (begun.size >= mostOpen) begun.clear()
    if (!begun.has(key)) begun.set(key, monotonic())
    const decision = await ask
    // The question is asked again after a failure; the press was already counted.
    if (decision.kind === 'later' || request.problem !== null) return decision
    const since = Math.max(begun.get(key) ?? monotonic(), inViewSince())
    begun.delete(key)
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
