import {
  fromThreadMessageLike,
  type AppendMessage,
  type ExternalThreadMessage,
  type ThreadMessage,
} from '@assistant-ui/react'
import type { Message } from '@/lib/chat/conversation'
import { statusOf } from './reply-status'

const memo = new WeakMap<Message, ExternalThreadMessage>()

/** A stored row as assistant-ui's message, the same one for the same row; the row itself goes along. */
export function threadMessageOf(row: Message): ExternalThreadMessage {
  const known = memo.get(row)
  if (known) return known
  const like = {
    id: row.id,
    role: row.role,
    content: [{ type: 'text' as const, text: row.text }],
    createdAt: new Date(row.createdAt),
    metadata: { custom: { row } },
    ...(row.role === 'assistant' && { status: statusOf(row) }),
  }
  const made = fromThreadMessageLike(like, row.id, { type: 'complete', reason: 'unknown' })
  memo.set(row, made)
  return made
}

/** The stored row that a message shows. */
export const rowOf = ({ metadata }: Pick<ThreadMessage, 'metadata'>): Message =>
  (metadata.custom as { readonly row: Message }).row

export const textOf = ({ content }: Pick<AppendMessage, 'content'>): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('')
