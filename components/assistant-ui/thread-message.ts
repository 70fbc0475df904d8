import type { AppendMessage, ExternalThreadMessage, ThreadMessage } from '@assistant-ui/react'
import { isHere, type ChatRow } from '@/lib/shared/conversation/chat-row'
import type { Message } from '@/lib/shared/conversation/conversation'
import { replyStatusOf } from './reply-status'

const memo = new WeakMap<ChatRow, ExternalThreadMessage>()

/** A stored row as assistant-ui's message, the same one for the same row; the row itself goes along, where it is here. */
export function threadMessageOf(row: ChatRow): ExternalThreadMessage {
  const known = memo.get(row)
  if (known) return known
  const made = messageOf(isHere(row) ? row : placeOf(row))
  memo.set(row, made)
  return made
}

/** One that is not here has its place alone: nothing of it is shown, and one can go there. */
const placeOf = ({ id, parentId }: ChatRow): Message => ({
  id,
  parentId,
  conversationId: '',
  createdAt: 0,
  role: 'user',
  text: '',
  results: [],
})

/** By hand: `fromThreadMessageLike` reads tool calls too, and brings a JSON parser and a Buffer for it (11 kB). */
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
