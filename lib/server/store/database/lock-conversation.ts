import type { Selectable, Transaction, Kysely } from 'kysely'
import type { Schema, ConversationTable } from '../ports/schema'
import { makeError } from '@/lib/i18n/t'
import { prepared } from './database-time'
import { messageFormat, decodeStored } from './row-formats'

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

/** The owner's conversation; undefined for an unknown, deleted or foreign id. */
export const ownConversation = async (
  db: Kysely<Schema>,
  owner: string,
  conversationId: string,
): Promise<Selectable<ConversationTable> | undefined> => (await selectOwn(db, { owner, conversationId })).rows[0]

/** All of them, by name: the plan of a statement that returns `*` is not kept (`keepStatementPlan`). */
export const conversationColumns = [
  'owner',
  'id',
  'title',
  'title_search',
  'settings',
  'head_id',
  'created_at',
  'updated_at',
  'imported_at',
  'marks',
  'bytes',
  'pinned_at',
  'archived_at',
  'deleted_at',
  'temporary_until',
  'project_id',
] as const satisfies readonly (keyof ConversationTable)[]

const selectOwn = prepared((db, { owner, conversationId }: ChatKey) =>
  db
    .selectFrom('conversations')
    .select(conversationColumns)
    .where('owner', '=', owner)
    .where('id', '=', conversationId)
    .where('deleted_at', 'is', null),
)

/**
 * The owner's conversation with its row locked until the transaction ends, so that writers of one conversation run one
 * after another. On PostgreSQL the update takes the lock; SQLite has one writer anyway. Null for a foreign or unknown
 * id.
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

/** Like `lockConversation`, or throws AppError `not-found`. */
export async function requireConversation(trx: Transaction<Schema>, owner: string, conversationId: string) {
  const row = await lockConversation(trx, owner, conversationId)
  if (!row) throw makeError('not-found', 'store.no-chat')
  return row
}

/**
 * Refuses if the results of this reply were already sent to the model: a call that did not run by then must not run any
 * more.
 */
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
    // Results are in a child of their reply; if a row does not name its parent, its text is checked.
    .where((eb) => eb.or([eb('parent_id', '=', messageId), eb('parent_id', 'is', null)]))
    .execute()
  const passed = later.some(({ body }) => {
    const message = decodeStored(body, messageFormat)
    // An unreadable message may contain the results, so nothing runs.
    if (!message) return body.includes(messageId)
    return message.role === 'user' && message.results.some((result) => result.messageId === messageId)
  })
  if (passed) {
    throw makeError('call-not-open', 'store.went-on')
  }
}
