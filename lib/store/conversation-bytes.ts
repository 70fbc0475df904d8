import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { storeError } from '@/lib/words/store'
import type { Schema } from './schema'

/** As the database keeps it: UTF-8. */
export const storedBytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/**
 * A conversation says how much it keeps, in its own row: whoever writes into it holds that row anyway, and with the chat its
 * share is gone, so that no counter can be left behind. Counted are messages, pictures, outcomes of calls and the log.
 */
export const grownBy = (bytes: number): RawBuilder<number> => sql<number>`bytes + ${bytes}`

/** The caller holds the conversation's row. */
export const growConversation = (
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  bytes: number,
): Promise<unknown> =>
  trx
    .updateTable('conversations')
    .set({ bytes: grownBy(bytes) })
    .where('owner', '=', owner)
    .where('id', '=', conversationId)
    .execute()

export async function keptBytes(db: Kysely<Schema>, owner: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('conversations')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number | string>('bytes'), sql<number>`0`).as('bytes'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** Refuses when an owner keeps as much as may be; the one message that goes beyond it is taken. */
export async function refuseFull(db: Kysely<Schema>, owner: string, maxBytes: number | null): Promise<void> {
  if (maxBytes === null) return
  const used = await keptBytes(db, owner)
  if (used < maxBytes) return
  throw storeError('storage-full', 'store.full', { used, limit: maxBytes })
}
