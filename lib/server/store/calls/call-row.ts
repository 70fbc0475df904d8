import type { Selectable, Transaction } from 'kysely'
import type { CallRecord } from '@/lib/shared/conversation/conversation'
import type { CallTable, Schema } from '../ports/schema'

/** The row of a call as it stands; undefined where nothing was decided. */
export const callRow = (
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  { messageId, slot }: Pick<CallRecord, 'messageId' | 'slot'>,
): Promise<Selectable<CallTable> | undefined> =>
  trx
    .selectFrom('calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('slot', '=', slot)
    .executeTakeFirst()
