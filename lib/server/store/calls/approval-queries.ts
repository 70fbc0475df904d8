import type { Kysely, Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { amendedLine, amendmentUndoneLine, grantLine } from '@/lib/shared/conversation/wire/log-lines'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import { growConversation, moreBytes, refuseFull } from '../database/conversation-bytes'
import { lockConversation, refusePassed, requireConversation } from '../database/lock-conversation'
import { writeLog } from './log-queries'
import { amendmentFromRow, messageFromRow, grantFromRow } from '../database/rows'
import { amendmentFormat, givenOnFormat, scopeFormat, encodeStored, sameJson } from '../database/row-formats'
import type { CopyEnd, CopyLook } from '@/lib/shared/conversation/copy-scopes'
import type { Schema } from '../ports/schema'
import type { ReviewKey } from '../ports/call-store'
import type { ReviewStore, Store } from '../ports/store'

export async function loadAmendments(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  messageId: string,
): Promise<readonly CallAmendment[]> {
  const rows = await trx
    .selectFrom('amendments')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .orderBy('slot')
    .execute()
  return rows.map(amendmentFromRow)
}

/** True if both are the same amendments from the same time. */
export const sameAmendments = (some: readonly CallAmendment[], others: readonly CallAmendment[]): boolean =>
  some.length === others.length &&
  some.every((one) => {
    const other = others.find(({ slot }) => slot === one.slot)
    return other?.amendedAt === one.amendedAt && sameJson(other.call, one.call)
  })

/** The user's amendments of undecided calls: one row per call, until the decision. */
export function amendmentQueries(db: Kysely<Schema>): Pick<Store, 'amendCall'> {
  return {
    amendCall: (owner, conversationId, { messageId, slot }, { amendment, seen, runnableCalls }, now, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const reply = { owner, conversation_id: conversationId, id: messageId }
        const stored = await trx
          .selectFrom('messages')
          .select('body')
          .where((row) => row.and(reply))
          .executeTakeFirst()
        const message = stored && messageFromRow({ id: messageId, conversationId, body: stored.body, before: null })
        if (message?.role !== 'assistant') throw makeError('not-found', 'store.no-reply')
        const key = { owner, conversation_id: conversationId, message_id: messageId, slot }
        const decided = await trx
          .selectFrom('calls')
          .select('slot')
          .where((row) => row.and(key))
          .executeTakeFirst()
        if (decided) {
          throw makeError('call-not-open', 'store.call-decided')
        }
        await refusePassed(trx, owner, conversationId, messageId)
        if (!sameAmendments(await loadAmendments(trx, owner, conversationId, messageId), seen)) return null

        const existing = await trx
          .selectFrom('amendments')
          .select('call')
          .where((row) => row.and(key))
          .executeTakeFirst()
        const grow = (call: string | null) =>
          growConversation(trx, owner, conversationId, moreBytes([call], [existing?.call ?? null]))
        if (amendment) {
          await refuseFull(trx, owner, { maxBytes, now })
          const call = encodeStored(amendment.call, amendmentFormat)
          await trx
            .insertInto('amendments')
            .values({ ...key, call, amended_at: now })
            .onConflict((conflict) =>
              conflict
                .columns(['owner', 'conversation_id', 'message_id', 'slot'])
                .doUpdateSet({ call, amended_at: now }),
            )
            .execute()
          await grow(call)
          await writeLog(trx, owner, conversationId, amendedLine({ messageId, slot, call: amendment.call }), now)
        } else {
          const undone = await trx
            .deleteFrom('amendments')
            .where((row) => row.and(key))
            .executeTakeFirst()
          if (undone.numDeletedRows > 0n) {
            await grow(null)
            await writeLog(trx, owner, conversationId, amendmentUndoneLine(messageId, slot), now)
          }
        }
        await trx
          .updateTable('messages')
          .set({ runnable_calls: runnableCalls })
          .where((row) => row.and(reply))
          .execute()
        return loadAmendments(trx, owner, conversationId, messageId)
      }),
  }
}

export const findGrant = (
  db: Kysely<Schema> | Transaction<Schema>,
  owner: string,
  conversationId: string,
  id: string,
) =>
  db
    .selectFrom('grants')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id)

/** Counts one use of an active grant, or refuses: it may have ended since the caller checked. */
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

/** Grants of a conversation, which are deleted with it. */
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
        return grantFromRow(await findGrant(trx, owner, conversationId, grant.id).executeTakeFirstOrThrow())
      }),

    revokeGrant: (owner, conversationId, grantId, now, end) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const before = await findGrant(trx, owner, conversationId, grantId).executeTakeFirst()
        if (!before) return null
        // What a link showed is no longer needed.
        const { look, ...known } = { look: undefined, ...grantFromRow(before).scope }
        const reviewer = end && reviewerOf(look, end)
        const ended = end && { ...end, ...(reviewer !== undefined && { reviewer }) }
        const scope =
          ended && encodeStored({ ...(known.kind === 'copy' && known), kind: 'copy', end: ended }, scopeFormat)
        const revoked = await trx
          .updateTable('grants')
          .set({ revoked_at: now, ...(scope !== undefined && { scope }) })
          .where('owner', '=', owner)
          .where('conversation_id', '=', conversationId)
          .where('id', '=', grantId)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        const grant = grantFromRow(await findGrant(trx, owner, conversationId, grantId).executeTakeFirstOrThrow())
        if (revoked.numUpdatedRows > 0n) {
          if (scope !== undefined)
            await growConversation(trx, owner, conversationId, moreBytes([scope], [before.scope]))
          await writeLog(trx, owner, conversationId, grantLine('grant-revoked', grant), now)
        }
        return grant
      }),
  }
}

/** Who decided on a copy, if the end carries out the answer of another account. */
const reviewerOf = (look: CopyLook | undefined, { kind, by }: CopyEnd): string | undefined =>
  by === undefined && look?.answer?.kind === (kind === 'kept' ? 'keep' : 'discard') ? look.answer.reviewer : undefined

/** Waits for decisions on the chat that are being stored, so that none follows. */
export const removeReview = (db: Kysely<Schema>, owner: string, tokenHash: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('reviews')
      .select('conversation_id')
      .where('owner', '=', owner)
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst()
    if (!found) return false
    await lockConversation(trx, owner, found.conversation_id)
    const [gone] = await trx
      .deleteFrom('reviews')
      .where('owner', '=', owner)
      .where('token_hash', '=', tokenHash)
      .execute()
    return (gone?.numDeletedRows ?? 0n) > 0n
  })

const standingReview = (db: Kysely<Schema>, { tokenHash, reviewer }: ReviewKey, now: number) =>
  db
    .selectFrom('reviews as r')
    .innerJoin('auth_user as maker', (join) =>
      join.onRef('maker.owner', '=', 'r.owner').on('maker.disabledAt', 'is', null),
    )
    .innerJoin('auth_user as reader', (join) =>
      join.onRef('reader.id', '=', 'r.reviewer').on('reader.disabledAt', 'is', null),
    )
    .select(['r.owner', 'r.conversation_id', 'r.token'])
    .where('r.token_hash', '=', tokenHash)
    .where('r.reviewer', '=', reviewer)
    .where('r.expires_at', '>', now)

/** Within the transaction of a reviewer's decision. Throws AppError `not-found` if the link has ended. */
export async function requireReview(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  key: ReviewKey,
  now: number,
): Promise<void> {
  const stands = await standingReview(trx, key, now)
    .where('r.owner', '=', owner)
    .where('r.conversation_id', '=', conversationId)
    .executeTakeFirst()
  if (!stands) throw makeError('not-found', 'chat.review.none')
}

/** Links by which one other account decides. */
export function reviewQueries(db: Kysely<Schema>): ReviewStore {
  return {
    addReview: (owner, { conversationId, target, token, tokenHash, reviewer, expiresAt }) =>
      db.transaction().execute(async (trx) => {
        if (!(await lockConversation(trx, owner, conversationId))) throw makeError('not-found', 'store.no-chat')
        const link = { token_hash: tokenHash, token, reviewer, expires_at: expiresAt }
        await trx
          .insertInto('reviews')
          .values({ owner, conversation_id: conversationId, target, ...link })
          .onConflict((conflict) => conflict.columns(['owner', 'conversation_id', 'target']).doUpdateSet(link))
          .execute()
      }),

    removeReview: (owner, tokenHash) => removeReview(db, owner, tokenHash),

    async readReview(key, now) {
      const row = await standingReview(db, key, now).executeTakeFirst()
      return row ? { owner: row.owner, conversationId: row.conversation_id, token: row.token } : null
    },
  }
}
