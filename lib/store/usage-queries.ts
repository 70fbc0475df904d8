import type { Kysely } from 'kysely'
import type { FairUseStore } from './fair-use'
import type { Schema } from './schema'

/** What was used, in numbers. */
export function usageQueries(db: Kysely<Schema>): Pick<FairUseStore, 'usageOfOwner' | 'usageByModelAndDay'> {
  return {
    async usageOfOwner(owner, sinceDay) {
      const rows = await db
        .selectFrom('usage')
        .selectAll()
        .where('owner', '=', owner)
        .where('day', '>=', sinceDay)
        .orderBy('day', 'desc')
        .orderBy('model')
        .execute()
      return rows.map(({ day, model, replies, tokens_in: tokensIn, tokens_out: tokensOut, estimated }) => ({
        day,
        model,
        replies,
        tokensIn,
        tokensOut,
        estimated,
      }))
    },

    async usageByModelAndDay(sinceDay) {
      const rows = await db
        .selectFrom('usage')
        .select((eb) => [
          'day',
          'model',
          eb.fn.countAll<number>().as('owners'),
          eb.fn.sum<number | string>('replies').as('replies'),
          eb.fn.sum<number | string>('tokens_in').as('tokens_in'),
          eb.fn.sum<number | string>('tokens_out').as('tokens_out'),
          eb.fn.sum<number | string>('estimated').as('estimated'),
        ])
        .where('day', '>=', sinceDay)
        .groupBy(['day', 'model'])
        .orderBy('day', 'desc')
        .orderBy('model')
        .execute()
      // PostgreSQL sums bigints as numeric, which comes as text.
      return rows.map((row) => ({
        day: row.day,
        model: row.model,
        owners: row.owners,
        replies: Number(row.replies),
        tokensIn: Number(row.tokens_in),
        tokensOut: Number(row.tokens_out),
        estimated: Number(row.estimated),
      }))
    },
  }
}
