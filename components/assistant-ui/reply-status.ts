import type { MessageStatus } from '@assistant-ui/react'
import { assertNever } from '@/lib/base/assert-never'
import type { AssistantMessage, ReplyOutcome } from '@/lib/shared/conversation/conversation'

/** What assistant-ui says of a reply is what is stored, one status an outcome: `complete` is `finished` and nothing else. */
export function replyStatusOf({ outcome, failure }: Pick<AssistantMessage, 'outcome' | 'failure'>): MessageStatus {
  switch (outcome) {
    case null:
      return { type: 'running' }
    case 'finished':
      return { type: 'complete', reason: 'stop' }
    case 'stopped':
      return { type: 'incomplete', reason: 'cancelled' }
    case 'length':
      return { type: 'incomplete', reason: 'length' }
    case 'failed':
      return { type: 'incomplete', reason: 'error', ...(failure && { error: failure.message }) }
    case 'interrupted':
      return { type: 'incomplete', reason: 'other' }
    default:
      return assertNever(outcome)
  }
}

/** The way back. A status that no outcome has (we never make one) is a reply of which nothing may run. */
export function outcomeOf(status: MessageStatus): ReplyOutcome | null {
  switch (status.type) {
    case 'running':
      return null
    case 'complete':
      return 'finished'
    case 'requires-action':
      return 'interrupted'
    case 'incomplete':
      return ended[status.reason]
    default:
      return assertNever(status)
  }
}

const ended: Readonly<Record<Extract<MessageStatus, { type: 'incomplete' }>['reason'], ReplyOutcome>> = {
  cancelled: 'stopped',
  length: 'length',
  error: 'failed',
  other: 'interrupted',
  'content-filter': 'interrupted',
  'tool-calls': 'interrupted',
}
