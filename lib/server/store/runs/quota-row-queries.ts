import { msBefore } from '@/lib/base/clocks'
import type { Kysely } from 'kysely'
import { countOf, settleLostRuns } from './claim-run'
import { dayOf, type QuotaStore } from '../ports/quotas'
import { lockSubject, takenOf, takeQuota } from './quota-queries'
import type { Schema } from '../ports/schema'
import { touchOwner } from '../database/conversation-bytes'

/** A claim may be older than its run's row becomes visible. */
const SETTLE_AFTER_MS = 60_000
/** Rows per sweep, so that it never blocks requests. */
const SWEPT_AT_ONCE = 200

export function quotaRowQueries(db: Kysely<Schema>): QuotaStore {
  return {
    ...usageQueries(db),

    takeQuota: (window, cost, limit) => takeQuota(db, window, cost, limit),

    startClaim: (owner, runId, { maxRunning, maxRunningOfAddress }, now) =>
      db.transaction().execute(async (trx) => {
        await touchOwner(trx, owner, now)
        const claim = await trx
          .selectFrom('run_claims')
          .select(['waits', 'address'])
          .where('owner', '=', owner)
          .where('run_id', '=', runId)
          .executeTakeFirst()
        if (claim?.waits !== 1) return 'gone'
        if ((await countOf(trx, owner)).running >= maxRunning) return 'full'
        const subjects = claim.address === null ? [owner] : [owner, claim.address]
        if (claim.address !== null) {
          await lockSubject(trx, claim.address, dayOf(now).endsAt)
          if ((await countOf(trx, claim.address)).running >= maxRunningOfAddress) return 'full'
        }
        for (const subject of subjects) {
          await trx
            .updateTable('run_claims')
            .set({ waits: 0, place: 0 })
            .where('owner', '=', subject)
            .where('run_id', '=', runId)
            .execute()
        }
        return 'started'
      }),

    storePlaces: (places) =>
      db.transaction().execute(async (trx) => {
        for (const { owner, runId, place } of places) {
          await trx
            .updateTable('run_claims')
            .set({ place })
            .where('owner', '=', owner)
            .where('run_id', '=', runId)
            .execute()
        }
      }),

    async placeOf(owner, runId) {
      const claim = await db
        .selectFrom('run_claims')
        .select(['waits', 'place'])
        .where('owner', '=', owner)
        .where('run_id', '=', runId)
        .executeTakeFirst()
      return claim?.waits === 1 ? claim.place : null
    },

    async sweepFairUse(now) {
      const settled = await db.transaction().execute(async (trx) => {
        const gone = await trx
          .selectFrom('run_claims')
          .select(['owner', 'run_id'])
          .where('claimed_at', '<', msBefore(now, SETTLE_AFTER_MS))
          .where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('runs')
                  .select('runs.id')
                  .whereRef('runs.owner', '=', 'run_claims.claimed_by')
                  .whereRef('runs.id', '=', 'run_claims.run_id')
                  .where('runs.status', '=', 'running'),
              ),
            ),
          )
          .orderBy('owner')
          .limit(SWEPT_AT_ONCE)
          .execute()
        for (const { owner, run_id: runId } of gone) {
          const claims = await trx
            .deleteFrom('run_claims')
            .where('owner', '=', owner)
            .where('run_id', '=', runId)
            .returningAll()
            .execute()
          await settleLostRuns(
            trx,
            claims.filter((claim) => claim.owner === claim.claimed_by),
          )
        }
        return gone.length
      })
      // Kept a day longer: a reply's usage is corrected at its end, which may be tomorrow.
      const over = db.selectFrom('quotas').select(['owner', 'name', 'starts_at'])
      const rows = await over.where('ends_at', '<', dayOf(now).startsAt).limit(SWEPT_AT_ONCE).execute()
      for (const { owner, name, starts_at: startsAt } of rows) {
        await db
          .deleteFrom('quotas')
          .where('owner', '=', owner)
          .where('name', '=', name)
          .where('starts_at', '=', startsAt)
          .where('ends_at', '<', dayOf(now).startsAt)
          .execute()
      }
      return settled + rows.length
    },

    budgetsTaken: (lines, now) => Promise.all(lines.map((line) => takenOf(db, line, now))),
  }
}

/** Usage statistics. */
function usageQueries(db: Kysely<Schema>): Pick<QuotaStore, 'usageOfOwner' | 'usageByModelAndDay'> {
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
      // PostgreSQL sums bigints as numeric, which is returned as text.
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
