import { sql, type Kysely, type Transaction } from 'kysely'
import { settleDeleted, settleLostRuns, NO_CHAT } from '../runs/claim-run'
import { keptBytes, notErased } from '../database/conversation-bytes'
import { ERASED, type OwnerDataStore, deletedOwners } from '../ports/store'
import { forgetToolServers } from '../sharing/tool-server-queries'
import { forgetProjects } from '../sharing/project-queries'
import { countPresets, forgetPresets } from '../sharing/preset-queries'
import type { Schema } from '../ports/schema'

const HAS_ACCOUNT = 'account'

/** Chats that will move to an owner, and running replies. */
const underWay = (db: Kysely<Schema>): Pick<OwnerDataStore, 'comingTo' | 'runningOf'> => ({
  async comingTo(owner) {
    const rows = await db.selectFrom('owner_moves').select('owner').where('to_owner', '=', owner).execute()
    return rows.flatMap((row) => (row.owner === owner ? [] : [row.owner]))
  },

  async runningOf(owner) {
    const rows = await db
      .selectFrom('runs')
      .select('id')
      .where('owner', '=', owner)
      .where('status', '=', 'running')
      .execute()
    return rows.map(({ id: runId }) => ({ owner, runId }))
  },
})

/** Hides all data of an owner at once and deletes it later. */
const erasing = (
  db: Kysely<Schema>,
  deleteChat: (owner: string, id: string) => Promise<boolean>,
): Pick<OwnerDataStore, 'eraseOwner' | 'purgeErased'> => ({
  eraseOwner: (owner) =>
    db.transaction().execute(async (trx) => {
      // Locks chats before claims, like every other transaction: the other order would deadlock with a reply that ends.
      const { numUpdatedRows } = await trx
        .updateTable('conversations')
        .set({ deleted_at: ERASED })
        .where('owner', '=', owner)
        .executeTakeFirst()
      // Settled here and not with the rows, so that a later end finds no claim of this owner.
      const claims = trx.deleteFrom('run_claims').where('owner', '=', owner).where('conversation_id', '<>', NO_CHAT)
      await settleLostRuns(trx, await claims.returningAll().execute())
      await forgetOwner(trx, owner)
      return Number(numUpdatedRows)
    }),

  async purgeErased(atMost) {
    const erased = await db
      .selectFrom('conversations')
      .select(['owner', 'id'])
      .where('deleted_at', '=', ERASED)
      .limit(atMost)
      .execute()
    for (const { owner, id } of erased) await deleteChat(owner, id)
    return erased.length
  },
})

/** The last time at which the clock of this database was trusted. */
const trustedTimes = (db: Kysely<Schema>): Pick<OwnerDataStore, 'trustedTime' | 'recordTrustedTime'> => ({
  async trustedTime() {
    const row = await db.selectFrom('trusted_time').select('at').executeTakeFirst()
    if (row) return row.at
    const touched = await db
      .selectFrom('conversations')
      .select('updated_at as at')
      .orderBy('updated_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    const visited = await db
      .selectFrom('owners')
      .select('last_seen as at')
      .orderBy('last_seen', 'desc')
      .limit(1)
      .executeTakeFirst()
    const found = [touched, visited].flatMap((one) => (one ? [one.at] : []))
    return found.length === 0 ? null : Math.max(...found)
  },

  async recordTrustedTime(at) {
    await db
      .insertInto('trusted_time')
      .values({ id: 1, at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
      .execute()
  },
})

/** Records when owners visited. */
const visits = (db: Kysely<Schema>): Pick<OwnerDataStore, 'recordVisits'> => ({
  async recordVisits(all, now) {
    // In a fixed order, so that two nodes do not deadlock.
    const rows = [...new Map(all.map((visit) => [visit.owner, visit])).values()]
      .toSorted((one, other) => (one.owner < other.owner ? -1 : 1))
      .map(({ owner, hasAccount }) => ({
        owner,
        kind: hasAccount ? HAS_ACCOUNT : 'visitor',
        first_seen: now,
        last_seen: now,
      }))
    if (rows.length === 0) return
    await db
      .insertInto('owners')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('owner').doUpdateSet({
          last_seen: now,
          kind: sql<string>`case when owners.kind = ${HAS_ACCOUNT} then owners.kind else excluded.kind end`,
        }),
      )
      .execute()
  },
})

export function ownerDataQueries(db: Kysely<Schema>): OwnerDataStore {
  /** One chat per transaction: deleting a long one takes time, and others need the database meanwhile. */
  const deleteChat = (owner: string, id: string, untouchedSince?: number) =>
    db.transaction().execute(async (trx) => {
      let chat = trx.deleteFrom('conversations').where('owner', '=', owner).where('id', '=', id)
      // The owner may have returned to it just now. The sum makes the database use the primary key and no other index.
      if (untouchedSince !== undefined) chat = chat.where(sql`updated_at + 0`, '<', untouchedSince)
      const { numDeletedRows } = await chat.executeTakeFirst()
      await settleDeleted(trx, owner, id)
      return numDeletedRows > 0n
    })

  const chatsOf = (owner: string, atMost: number) =>
    db.selectFrom('conversations').select(['owner', 'id']).where('owner', '=', owner).limit(atMost).execute()

  return {
    ...erasing(db, deleteChat),
    ...trustedTimes(db),

    async ownerData(owner) {
      const chats = await db
        .selectFrom('conversations')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('owner', '=', owner)
        .where(notErased)
        .executeTakeFirstOrThrow()
      const messages = await db
        .selectFrom('messages')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('owner', '=', owner)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('conversations as c')
                .select('c.id')
                .where('c.owner', '=', owner)
                .whereRef('c.id', '=', 'messages.conversation_id')
                // The sum makes the database use the primary key and no other index.
                .where(sql<boolean>`c.deleted_at + 0 = ${ERASED}`),
            ),
          ),
        )
        .executeTakeFirstOrThrow()
      const [bytes, presets] = [await keptBytes(db, owner), await countPresets(db, owner)]
      return { chats: chats.n, messages: messages.n, bytes, presets }
    },

    ...underWay(db),

    ...visits(db),

    async deleteUntouched(before, atMost) {
      const stale = await db
        .selectFrom('conversations')
        .select(['owner', 'id'])
        .where('updated_at', '<', before)
        .limit(atMost)
        .execute()
      let gone = 0
      for (const { owner, id } of stale) if (await deleteChat(owner, id, before)) gone += 1
      return gone
    },

    async deleteOrphans(before, atMost) {
      const orphans = await db
        .selectFrom('owners')
        .select('owner')
        .where('last_seen', '<', before)
        .where('kind', '<>', HAS_ACCOUNT)
        // Someone who signed up was recorded as a visitor before, and may not return soon.
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom('auth_user').select('id').whereRef('auth_user.owner', '=', 'owners.owner'))),
        )
        .limit(atMost)
        .execute()
      let gone = 0
      for (const { owner } of orphans) {
        const chats = await chatsOf(owner, atMost)
        for (const { id } of chats) if (await deleteChat(owner, id, before)) gone += 1
        if ((await chatsOf(owner, 1)).length === 0) {
          await db.transaction().execute((trx) => forgetOwner(trx, owner))
          gone += 1
        }
        if (gone >= atMost) break
      }
      return gone
    },

    async forgetRuns(endedBefore, atMost) {
      const rows = await db
        .selectFrom('runs')
        .select(['owner', 'id'])
        .where('ended_at', '<', endedBefore)
        .limit(atMost)
        .execute()
      for (const { owner, id } of rows) {
        await db
          .deleteFrom('runs')
          .where('owner', '=', owner)
          .where('id', '=', id)
          .where('status', '=', 'ended')
          .execute()
      }
      return rows.length
    },
  }
}

/**
 * Keeps an owner's usage in the statistics without the owner. Keeps today's budgets, because otherwise deleting data
 * would refill them.
 */
async function forgetOwner(trx: Transaction<Schema>, owner: string): Promise<void> {
  await forgetPresets(trx, owner)
  await forgetProjects(trx, owner)
  await forgetToolServers(trx, owner)
  await trx.deleteFrom('owners').where('owner', '=', owner).execute()
  const used = await trx.deleteFrom('usage').where('owner', '=', owner).returningAll().execute()
  for (const row of used) {
    await trx
      .insertInto('usage')
      .values({ ...row, owner: deletedOwners })
      .onConflict((conflict) =>
        conflict.columns(['owner', 'day', 'model']).doUpdateSet({
          replies: sql<number>`usage.replies + excluded.replies`,
          tokens_in: sql<number>`usage.tokens_in + excluded.tokens_in`,
          tokens_out: sql<number>`usage.tokens_out + excluded.tokens_out`,
          estimated: sql<number>`usage.estimated + excluded.estimated`,
        }),
      )
      .execute()
  }
}
