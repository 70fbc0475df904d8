import { sql, type Kysely } from 'kysely'
import type { BudgetLine, QuotaWindow } from '../ports/quotas'
import { dayOf } from '../ports/quotas'
import { preparedWrite } from '../database/database-time'
import type { Schema } from '../ports/schema'

/**
 * Takes `cost` from a window in one statement, so that exactly as many concurrent requests pass as fit. Null: it does
 * not fit. The condition does not cover the first row of a window, so a cost that can never fit is refused beforehand.
 */
export async function takeQuota(
  db: Kysely<Schema>,
  { owner, name, startsAt, endsAt }: QuotaWindow,
  cost: number,
  limit: number,
): Promise<number | null> {
  if (cost > limit) return null
  const row = await db
    .insertInto('quotas')
    .values({ owner, name, starts_at: startsAt, ends_at: endsAt, n: cost })
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'name', 'starts_at'])
        .doUpdateSet({ n: sql<number>`quotas.n + excluded.n` })
        .where(sql<boolean>`quotas.n + excluded.n <= ${limit}`),
    )
    .returning('n')
    .executeTakeFirst()
  return row?.n ?? null
}

/** Corrects an amount after the fact: adds `change`, but never goes below zero. */
export const correctQuota = (
  db: Kysely<Schema>,
  { owner, name, startsAt }: Omit<QuotaWindow, 'endsAt'>,
  change: number,
): Promise<unknown> =>
  db
    .updateTable('quotas')
    .set({ n: sql<number>`case when n + ${change} < 0 then 0 else n + ${change} end` })
    .where('owner', '=', owner)
    .where('name', '=', name)
    .where('starts_at', '=', startsAt)
    .execute()

/** Locks the subject until the transaction ends, so that only one transaction counts its claims at a time. */
export const lockSubject = (trx: Kysely<Schema>, subject: string, endsAt: number): Promise<unknown> =>
  takeLock(trx, { subject, endsAt })

const takeLock = preparedWrite((db, { subject, endsAt }: { readonly subject: string; readonly endsAt: number }) =>
  db
    .insertInto('quotas')
    .values({ owner: subject, name: 'lock', starts_at: 0, ends_at: endsAt, n: 0 })
    .onConflict((conflict) => conflict.columns(['owner', 'name', 'starts_at']).doUpdateSet({ ends_at: endsAt })),
)

export async function takenOf(db: Kysely<Schema>, { owner, name }: BudgetLine, now: number): Promise<number> {
  const row = await db
    .selectFrom('quotas')
    .select('n')
    .where('owner', '=', owner)
    .where('name', '=', name)
    .where('starts_at', '=', dayOf(now).startsAt)
    .executeTakeFirst()
  return row?.n ?? 0
}
