import type { Kysely, Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { grantLine } from '@/lib/shared/conversation/wire/log-lines'
import { growConversation, moreBytes, refuseFull } from '../database/conversation-bytes'
import { requireConversation } from '../database/lock-conversation'
import { writeLog } from './log-queries'
import { givenOnFormat, scopeFormat } from '../database/row-formats'
import { grantFromRow } from '../database/rows'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'
import { encodeStored } from '../database/stored-json'

const find = (trx: Transaction<Schema>, owner: string, conversationId: string, id: string) =>
  trx
    .selectFrom('grants')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id)

/** Counts one use of a standing grant, or refuses: it may have been revoked, or have ended, since the caller looked. */
export async function takeGrant(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  grantId: string,
  now: number,
): Promise<void> {
  const used = await trx
    .updateTable('grants')
    .set((eb) => ({ uses: eb('uses', '+', 1), last_used_at: now }))
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', grantId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  if (used.numUpdatedRows !== 1n) {
    throw makeError('conflict', 'store.grant-ended')
  }
}

/** Remembered answers of a conversation. They go with it. */
export function grantQueries(db: Kysely<Schema>): Pick<Store, 'giveGrant' | 'revokeGrant'> {
  return {
    giveGrant: (owner, conversationId, grant, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const scope = encodeStored(grant.scope, scopeFormat)
        const givenOn = grant.givenOn ? encodeStored(grant.givenOn, givenOnFormat) : null
        const inserted = await trx
          .insertInto('grants')
          .values({
            owner,
            conversation_id: conversationId,
            id: grant.id,
            scope,
            created_at: grant.createdAt,
            uses: grant.uses,
            last_used_at: grant.lastUsedAt,
            revoked_at: grant.revokedAt,
            expires_at: grant.expiresAt ?? null,
            given_on: givenOn,
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (inserted.numInsertedOrUpdatedRows === 1n) {
          await refuseFull(trx, owner, { maxBytes, now: grant.createdAt })
          await growConversation(trx, owner, conversationId, moreBytes([scope, givenOn]))
          await writeLog(trx, owner, conversationId, grantLine('grant-given', grant), grant.createdAt)
        }
        return grantFromRow(await find(trx, owner, conversationId, grant.id).executeTakeFirstOrThrow())
      }),

    revokeGrant: (owner, conversationId, grantId, now) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const revoked = await trx
          .updateTable('grants')
          .set({ revoked_at: now })
          .where('owner', '=', owner)
          .where('conversation_id', '=', conversationId)
          .where('id', '=', grantId)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        const row = await find(trx, owner, conversationId, grantId).executeTakeFirst()
        if (!row) return null
        const grant = grantFromRow(row)
        if (revoked.numUpdatedRows > 0n) {
          await writeLog(trx, owner, conversationId, grantLine('grant-revoked', grant), now)
        }
        return grant
      }),
  }
}
