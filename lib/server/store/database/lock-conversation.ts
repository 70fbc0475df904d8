import type { Kysely, Selectable, Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import type { ChatKey } from './message-part-queries'
import { prepared } from './database-time'
import type { ConversationTable, Schema } from '../ports/schema'
import { messageFormat, decodeStored } from './row-formats'

/** The owner's conversation as it stands; undefined for a foreign or unknown id, and for one that was deleted. */
export const ownConversation = async (
  db: Kysely<Schema>,
  owner: string,
  conversationId: string,
): Promise<Selectable<ConversationTable> | undefined> => (await selectOwn(db, { owner, conversationId })).rows[0]

const selectOwn = prepared((db, { owner, conversationId }: ChatKey) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('owner', '=', owner)
    .where('id', '=', conversationId)
    .where('deleted_at', 'is', null),
)

/**
 * The owner's conversation, with its row held until the transaction ends: writers of one conversation go one after the
 * other. On PostgreSQL the update takes the lock; SQLite has one writer anyway. Null for a foreign or unknown id.
 */
export const lockConversation = async (
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
): Promise<Selectable<ConversationTable> | null> =>
  (await trx
    .updateTable('conversations')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('owner', '=', owner)
    .where('id', '=', conversationId)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()) ?? null

/** The same, or AppError `not-found`. */
export async function requireConversation(trx: Transaction<Schema>, owner: string, conversationId: string) {
  const row = await lockConversation(trx, owner, conversationId)
  if (!row) throw makeError('not-found', 'store.no-chat')
  return row
}

/** Refuses when the results of this reply went to the model already: what did not run then must not run now. */
export async function refusePassed(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  messageId: string,
): Promise<void> {
  const later = await trx
    .selectFrom('messages')
    .select('body')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('seq', '>', (eb) =>
      eb
        .selectFrom('messages as reply')
        .select('reply.seq')
        .where('reply.owner', '=', owner)
        .where('reply.conversation_id', '=', conversationId)
        .where('reply.id', '=', messageId),
    )
    // Results go with what answers their reply; of a row that does not say what it answers, its words are looked at.
    .where((eb) => eb.or([eb('parent_id', '=', messageId), eb('parent_id', 'is', null)]))
    .execute()
  const passed = later.some(({ body }) => {
    const message = decodeStored(body, messageFormat)
    // What can't be read may have taken them: then nothing runs.
    if (!message) return body.includes(messageId)
    return message.role === 'user' && message.results.some((result) => result.messageId === messageId)
  })
  if (passed) {
    throw makeError('call-not-open', 'store.went-on')
  }
}
