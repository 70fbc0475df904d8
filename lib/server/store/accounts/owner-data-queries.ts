import { sql, type Kysely, type Transaction } from 'kysely'
import { settleDeleted, settleLostRuns, NO_CHAT } from '../runs/claim-run'
import { keptBytes, notErased } from '../database/conversation-bytes'
import { ERASED, type OwnerDataStore, deletedOwners } from '../ports/store'
import { forgetToolServers } from '../sharing/tool-server-queries'
import { forgetProjects } from '../sharing/project-queries'
import { countPresets, forgetPresets } from '../sharing/preset-queries'
import type { Schema } from '../ports/schema'

const HAS_ACCOUNT = 'account'

/** What is still to come for an owner, or being written. */
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

/** All of an owner's, hidden at once and deleted later. */
const erasing = (
  db: Kysely<Schema>,
  deleteChat: (owner: string, id: string) => Promise<boolean>,
): Pick<OwnerDataStore, 'eraseOwner' | 'purgeErased'> => ({
  eraseOwner: (owner) =>
    db.transaction().execute(async (trx) => {
      // Chats before claims, as every other transaction locks them: the other way round would deadlock with a reply that ends.
      const { numUpdatedRows } = await trx
        .updateTable('conversations')
        .set({ deleted_at: ERASED })
        .where('owner', '=', owner)
        .executeTakeFirst()
      // Settled here, not with the rows: what ends later finds nothing of this owner's.
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

/** Up to when the clock of this database was right. */
const trustedTimes = (db: Kysely<Schema>): Pick<OwnerDataStore, 'trustedTime' | 'noteTrustedTime'> => ({
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

  async noteTrustedTime(at) {
    await db
      .insertInto('trusted_time')
      .values({ id: 1, at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
      .execute()
  },
})

/** Who was here, and when. */
const visits = (db: Kysely<Schema>): Pick<OwnerDataStore, 'noteVisits'> => ({
  async noteVisits(all, now) {
    // In one order, so that two nodes do not wait for each other.
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
  /** One chat a transaction: deleting a long one takes its time, and others want the database meanwhile. */
  const deleteChat = (owner: string, id: string, untouchedSince?: number) =>
    db.transaction().execute(async (trx) => {
      let chat = trx.deleteFrom('conversations').where('owner', '=', owner).where('id', '=', id)
      // Someone may have come back to it in this very moment. A sum, so that its key finds it and no other index.
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
                // A sum, so that its key finds it and no other index.
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
        // Whoever signed up was noted as a visitor before, and their next visit may be a long time away.
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

/** What an owner used stays counted for the operator, without the owner. Today's pots stay: else deleting would fill them. */
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
