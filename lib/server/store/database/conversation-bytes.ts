import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { prepared } from './database-time'
import type { CallTable, Schema } from '../ports/schema'
import { ERASED } from '../ports/store'

/** Marks the visit, and holds the owner's row until the transaction ends. Whoever holds a conversation's row takes it after that. */
export const touchOwner = (trx: Kysely<Schema>, owner: string, now: number): Promise<unknown> =>
  see(trx, { owner, now })

const see = prepared((db, { owner, now }: { readonly owner: string; readonly now: number }) =>
  db
    .insertInto('owners')
    .values({ owner, kind: 'visitor', first_seen: now, last_seen: now })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({
        last_seen: sql<number>`case when excluded.last_seen > owners.last_seen then excluded.last_seen else owners.last_seen end`,
      }),
    ),
)

/** As the database keeps it: UTF-8. */
export const storedBytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/** How much more the first ones take than the others: what a change of texts means for the chat. */
export const moreBytes = (after: readonly (string | null)[], before: readonly (string | null)[] = []): number => {
  const sum = (texts: readonly (string | null)[]) => texts.reduce((all, text) => all + storedBytes(text), 0)
  return sum(after) - sum(before)
}

/** What is counted of a call's row. */
export const callTexts = ({
  body,
  outcome,
  stopped,
  release,
  inner_calls,
}: Pick<CallTable, 'body' | 'outcome' | 'stopped' | 'release' | 'inner_calls'>) => [
  body,
  outcome,
  stopped,
  release,
  inner_calls,
]

/**
 * A conversation says how much it keeps, in its own row: whoever writes into it holds that row anyway, and with the chat its
 * share is gone, so that no counter can be left behind. Counted is whatever someone wrote or let in, in whichever table
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

/** What its owner erased is theirs no more, though its rows are still to be deleted. */
export const notErased = sql<boolean>`(deleted_at is null or deleted_at <> ${ERASED})`

export async function keptBytes(db: Kysely<Schema>, owner: string): Promise<number> {
  const { rows } = await sumKept(db, { owner })
  return Number(rows[0]?.bytes ?? 0)
}

/** What is kept beside chats is little, and has no row that could count it. */
const sumKept = prepared(
  (_, { owner }: { readonly owner: string }) => sql<{ readonly bytes: number | string }>`select
    coalesce((select sum(bytes) from conversations where owner = ${owner} and ${notErased}), 0) +
    coalesce((select sum(octet_length(body)) from presets where owner = ${owner}), 0) +
    coalesce((select sum(octet_length(body)) from projects where owner = ${owner}), 0) +
    coalesce((select sum(octet_length(body)) from memories where owner = ${owner}), 0) +
    coalesce((select sum(octet_length(body)) from mcp_servers where owner = ${owner}), 0) +
    coalesce((select sum(octet_length(body)) from tool_sets where owner = ${owner}), 0) +
    coalesce((select octet_length(body) from owner_defaults where owner = ${owner}), 0) as bytes`,
)

/** What ends something that was begun is taken from whoever keeps as much as may be, as long as it is no more than that. */
const SMALL_END_BYTES = 16_000

/** `maxBytes`: what the owner may keep; null: any amount. */
export interface DiskSpace {
  readonly maxBytes: number | null
  readonly now: number
  /** The caller holds the owner's row already. */
  readonly isHeld?: boolean
}

/**
 * Refuses when an owner keeps as much as may be; the one thing that goes beyond it is taken. Holds the owner's row until the transaction
 * ends, so that of any number at once only one can be that.
 */
export async function refuseFull(
  trx: Transaction<Schema>,
  owner: string,
  { maxBytes, now, isHeld = false }: DiskSpace,
): Promise<void> {
  if (maxBytes === null) return
  if (!isHeld) await touchOwner(trx, owner, now)
  const used = await keptBytes(trx, owner)
  if (used < maxBytes) return
  throw makeError('storage-full', 'store.full', { used, limit: maxBytes })
}

/** The same for the outcome of what had begun while there was room. */
export async function refuseLargeEnd(
  trx: Transaction<Schema>,
  owner: string,
  bytes: number,
  room: DiskSpace,
): Promise<void> {
  if (bytes > SMALL_END_BYTES) await refuseFull(trx, owner, room)
}
