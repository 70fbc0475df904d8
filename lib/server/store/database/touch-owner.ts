import { sql, type Kysely } from 'kysely'
import { prepared } from './prepared'
import type { Schema } from '../ports/schema'

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
