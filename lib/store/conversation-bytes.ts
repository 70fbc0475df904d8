import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { storeError } from '@/lib/words/store'
import type { CallTable, Schema } from './schema'

/** As the database keeps it: UTF-8. */
export const storedBytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/** How much more the first ones take than the others: what a change of texts means for the chat. */
export const moreBytes = (after: readonly (string | null)[], before: readonly (string | null)[] = []): number => {
  const sum = (texts: readonly (string | null)[]) => texts.reduce((all, text) => all + storedBytes(text), 0)
  return sum(after) - sum(before)
}

/** What is counted of a call's row. */
export const callTexts = ({ body, outcome, release }: Pick<CallTable, 'body' | 'outcome' | 'release'>) => [
  body,
  outcome,
  release,
]

/**
 * A conversation says how much it keeps, in its own row: whoever writes into it holds that row anyway, and with the chat its
 * share is gone, so that no counter can be left behind. Counted is whatever somebody wrote or let in, in whichever table
 * (`testing/kept-columns.ts`).
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
  // What is kept beside chats is little, and has no row that could count it.
  const { rows } = await sql<{ readonly bytes: number | string }>`select
    coalesce((select sum(bytes) from conversations where owner = ${owner}), 0) +
    coalesce((select sum(octet_length(body)) from presets where owner = ${owner}), 0) +
    coalesce((select octet_length(body) from owner_defaults where owner = ${owner}), 0) as bytes`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** Refuses when an owner keeps as much as may be; the one thing that goes beyond it is taken. */
export async function refuseFull(db: Kysely<Schema>, owner: string, maxBytes: number | null): Promise<void> {
  if (maxBytes === null) return
  const used = await keptBytes(db, owner)
  if (used < maxBytes) return
  throw storeError('storage-full', 'store.full', { used, limit: maxBytes })
}
