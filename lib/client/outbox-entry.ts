import type { OutboxEntry } from './outbox'

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
