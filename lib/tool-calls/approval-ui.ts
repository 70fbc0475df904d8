import type { CallOutcome, CallRecord, GrantScope } from '@/lib/conversation/conversation'
import type { ReleaseResult } from '@/lib/conversation/api-types'
import type { MessageCall } from '@/lib/calls/message-calls'

/** A call that waits for a person. */
export interface ExecutionApprovalRequest {
  readonly conversationId: string
  readonly messageId: string
  readonly call: MessageCall
  /** How often this very call (tool and arguments) was asked for since the user's last word; 1 at first. */
  readonly repeats: number
  /** What the answer may be remembered for; [] when it is asked every time. */
  readonly rememberable: readonly GrantScope['kind'][]
}

export type ExecutionDecision =
  | {
      readonly kind: 'run'
      readonly stopAtFailure?: boolean
      readonly remember?: GrantScope['kind']
      /** With `remember`: slots of other calls that wait, which the person named with the same click. */
      readonly alsoRun?: readonly number[]
    }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'skip' }
  /** Nothing is decided; the call goes on waiting in its card. */
  | { readonly kind: 'later' }

/** A result that waits for a person. */
export interface ResultApprovalRequest {
  readonly conversationId: string
  readonly messageId: string
  readonly call: MessageCall
  readonly outcome: CallOutcome
  readonly decidedBy: CallRecord['by']
}

export type ResultDecision = ReleaseResult['release'] | { readonly kind: 'later' }

/**
 * How a person is asked. The core knows no screen: it asks an adapter and carries the answer out. Implementations: the
 * cards in the chat, a dialog over the chat, and the playground.
 *
 * Both methods resolve once; the signal aborts when the question is void (another tab answered, the user wrote something
 * else, the conversation was left) and the adapter then resolves with `later`. They never reject.
 */
export interface ApprovalUIAdapter {
  showToolExecutionApproval(request: ExecutionApprovalRequest, signal: AbortSignal): Promise<ExecutionDecision>
  showToolResultApproval(request: ResultApprovalRequest, signal: AbortSignal): Promise<ResultDecision>
}
