import type { AppendMessage, ExternalThreadMessage, MessageStatus, ThreadMessage } from '@assistant-ui/react'
import { assertNever } from '@/lib/base/result'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage, Message, ReplyOutcome } from '@/lib/shared/conversation/conversation'

const memo = new WeakMap<ChatRow, ExternalThreadMessage>()

/** A stored row as assistant-ui's message: the same object for the same row. The row itself is in its metadata (`rowOf`). */
export function threadMessageOf(row: ChatRow): ExternalThreadMessage {
  const known = memo.get(row)
  if (known) return known
  const made = messageOf(isHere(row) ? row : absentMessage(row))
  memo.set(row, made)
  return made
}

/** A row that is not loaded yet: only its position in the tree is known. */
const absentMessage = ({ id, parentId }: ChatRow): Message => ({
  id,
  parentId,
  conversationId: '',
  createdAt: 0,
  role: 'user',
  text: '',
  results: [],
})

/** Not `fromThreadMessageLike`: it reads tool calls too, with a JSON parser and a Buffer (11 kB). */
function messageOf(row: Message): ExternalThreadMessage {
  const base = {
    id: row.id,
    createdAt: new Date(row.createdAt),
    content: row.text === '' ? [] : [{ type: 'text' as const, text: row.text }],
  }
  const custom = { row }
  if (row.role === 'user') return { ...base, role: 'user', attachments: [], metadata: { custom } }
  const none = { unstable_state: null, unstable_annotations: [], unstable_data: [], steps: [] }
  return { ...base, role: 'assistant', status: replyStatusOf(row), metadata: { ...none, custom } }
}

/** The stored row that a message shows. */
export const rowOf = ({ metadata }: Pick<ThreadMessage, 'metadata'>): Message =>
  (metadata.custom as { readonly row: Message }).row

export const appendedText = ({ content }: Pick<AppendMessage, 'content'>): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** One status per stored outcome: `complete` means `finished` and nothing else, as cards may act in a complete message only. */
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

/** The reverse. A status that no outcome has (we never make one) counts as `interrupted`: nothing of such a reply may run. */
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
