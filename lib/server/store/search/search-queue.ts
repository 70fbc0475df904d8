import { sql, type Transaction } from 'kysely'
import type { ChatKey } from '../database/message-part-queries'
import { prepared } from '../database/prepared'
import type { Schema } from '../ports/schema'

/**
 * Notes in the transaction that writes messages that their words are to be read. They are read behind it, in batches
 * (`index-queries.ts`): whoever sends waits for none of it, and a kill in between loses none.
 */
export const enqueueForIndexing = (
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  messageId: string,
): Promise<unknown> => noteDue(trx, { owner, conversationId, messageId })

const noteDue = prepared(
  (_, { owner, conversationId, messageId }: ChatKey & { readonly messageId: string }) =>
    sql`insert into words_due (owner, conversation_id, message_id)
      values (${owner}, ${conversationId}, ${messageId}) on conflict do nothing`,
)

/** The same of all messages of a chat. */
export const enqueueAllForIndexing = (
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
): Promise<unknown> =>
  trx
    .insertInto('words_due')
    .columns(['owner', 'conversation_id', 'message_id'])
    .expression((eb) =>
      eb
        .selectFrom('messages')
        .select(['owner', 'conversation_id', sql.ref<string>('id').as('message_id')])
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Before a chat changes hands: its words bear the mark of their owner. */
export async function refreshSearchQueue(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
): Promise<void> {
  await trx
    .deleteFrom('message_words')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .execute()
  await enqueueAllForIndexing(trx, owner, conversationId)
}
