import type { Selectable, Transaction } from 'kysely'
import type { Schema } from '../ports/schema'

export interface ChatKey {
  readonly owner: string
  readonly conversationId: string
}

/** How many messages a statement names one by one; for more, the rows of the whole chat are read. */
export const NAMED = 200

/** The rows of a chat's calls or amendments, by message and slot, for these messages or for all. */
export async function ofMessages<Table extends 'calls' | 'amendments'>(
  trx: Transaction<Schema>,
  table: Table,
  { owner, conversationId }: ChatKey,
  ids: readonly string[] | 'all',
): Promise<readonly Selectable<Schema[Table]>[]> {
  if (ids.length === 0) return []
  const known = ids === 'all' ? null : new Set(ids)
  const rows = await trx
    .selectFrom<'calls' | 'amendments'>(table)
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .$if(known !== null && known.size <= NAMED, (some) => some.where('message_id', 'in', [...(known ?? [])]))
    .orderBy('message_id')
    .orderBy('slot')
    .execute()
  return rows.filter((row) => known?.has(row.message_id) ?? true) as Selectable<Schema[Table]>[]
}
