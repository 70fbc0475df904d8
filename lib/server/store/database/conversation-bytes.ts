import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { prepared, preparedWrite } from './database-time'
import type { CallTable, Schema } from '../ports/schema'
import { ERASED } from '../ports/store'

/**
 * Records the visit, and locks the owner's row until the transaction ends. A transaction that needs a conversation's
 * row locks this one after it.
 */
export const touchOwner = (trx: Kysely<Schema>, owner: string, now: number): Promise<void> => see(trx, { owner, now })

const see = preparedWrite((db, { owner, now }: { readonly owner: string; readonly now: number }) =>
  db
    .insertInto('owners')
    .values({ owner, kind: 'visitor', first_seen: now, last_seen: now })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({
        last_seen: sql<number>`case when excluded.last_seen > owners.last_seen then excluded.last_seen else owners.last_seen end`,
      }),
    ),
)

/** The size in the database: UTF-8. */
export const storedBytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/** How many more bytes the first texts have than the others: the change in the chat's size. */
export const moreBytes = (after: readonly (string | null)[], before: readonly (string | null)[] = []): number => {
  const sum = (texts: readonly (string | null)[]) => texts.reduce((all, text) => all + storedBytes(text), 0)
  return sum(after) - sum(before)
}

/** The counted texts of a call's row. */
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
 * A conversation's size is stored in its own row: every writer locks that row anyway, and deleting the chat removes its
 * share, so no counter is left behind. All content that someone wrote or imported counts, in any table
 * (`testing/stored-columns.ts`).
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

/** Erased chats do not count for the owner, although their rows are still to be deleted. */
export const notErased = sql<boolean>`(deleted_at is null or deleted_at <> ${ERASED})`

export async function keptBytes(db: Kysely<Schema>, owner: string): Promise<number> {
  const { rows } = await sumKept(db, { owner })
  return Number(rows[0]?.bytes ?? 0)
}

/** Data outside of chats is small, and has no row with a size. */
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

/** The outcome of something already started is accepted up to this size, even if the owner's storage is full. */
const SMALL_END_BYTES = 16_000

/** `maxBytes`: the owner's storage limit; null: unlimited. */
export interface DiskSpace {
  readonly maxBytes: number | null
  readonly now: number
  /** The caller has locked the owner's row already. */
  readonly isHeld?: boolean
}

/**
 * Refuses if the owner's storage is full; the one write that exceeds the limit is accepted. Locks the owner's row until
 * the transaction ends, so that only one of several concurrent writes can be that one.
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

/** The same for the outcome of something that was started while there was space. */
export async function refuseLargeEnd(
  trx: Transaction<Schema>,
  owner: string,
  bytes: number,
  room: DiskSpace,
): Promise<void> {
  if (bytes > SMALL_END_BYTES) await refuseFull(trx, owner, room)
}
