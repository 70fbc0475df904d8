import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'

/** A message that was sent and that the server has not accepted yet. Its id makes every try the same request. */
export interface OutboxEntry {
  readonly version: 1
  readonly id: string
  readonly conversationId: string
  /** Where it goes: the end that was seen when it was sent, or where it was aimed anew when the chat had gone on. */
  readonly parentId: string | null
  readonly branch?: 'edit' | 'back' | 'leaf'
  readonly text: string
  /** In storage without their pictures, which are made from the files again. */
  readonly attachments?: readonly AttachmentToSend[]
  readonly keepAttachmentsOf?: string
  readonly createdAt: number
  /** Its chat is one that the server does not know yet, and these are its settings. */
  readonly create?: Partial<ConversationSettings>
  /** The chat had gone on before it was accepted: it is told once it stands. */
  readonly movedOn?: true
  /** The message that it was written anew from, which may have arrived all the same. */
  readonly replaces?: string
  /** Why the server will not take it as it is; null: it goes by itself. */
  readonly refusal: string | null
}

/** What another version wrote under our name, or anyone else, is no entry: it is left where it is. */
export function isOutboxEntry(value: unknown): value is OutboxEntry {
  if (typeof value !== 'object' || value === null) return false
  const { version, id, conversationId, parentId, text, createdAt, refusal, attachments } = value as Record<
    string,
    unknown
  >
  return (
    version === 1 &&
    typeof id === 'string' &&
    typeof conversationId === 'string' &&
    (parentId === null || typeof parentId === 'string') &&
    typeof text === 'string' &&
    typeof createdAt === 'number' &&
    (refusal === null || typeof refusal === 'string') &&
    (attachments === undefined || Array.isArray(attachments))
  )
}
