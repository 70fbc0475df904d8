import type { Kysely } from 'kysely'
import {
  everythingShown,
  type ReadableChat,
  type ShownParts,
  maxShares,
  type SharedLink,
} from '@/lib/shared/conversation/readable/readable-chat'
import { makeError } from '@/lib/i18n/t'
import { growConversation, moreBytes, refuseFull } from '../database/conversation-bytes'
import { lockConversation } from '../database/lock-conversation'
import { cleanTitle } from '../database/rows'
import type { Schema } from '../ports/schema'
import type { ShareStore } from '../ports/store'
import { removeReview } from '../calls/approval-queries'
import { decodeStored, encodeStored, type StoredFormat } from '../database/row-formats'
import { readableChatSchema, shownPartsSchema } from '@/lib/shared/conversation/readable/readable-chat-schema'

/** The content of a link. */
const shareFormat: StoredFormat<ReadableChat> = { version: 1, schema: readableChatSchema }
const shownFormat: StoredFormat<ShownParts> = { version: 1, schema: shownPartsSchema }

export function shareQueries(db: Kysely<Schema>): ShareStore {
  const remove = (owner: string, id: string) => removeLink(db, owner, id)

  return {
    addShare: (owner, share, maxBytes) =>
      db.transaction().execute(async (trx) => {
        const chat = await lockConversation(trx, owner, share.conversationId)
        if (!chat) throw makeError('not-found', 'store.no-chat')
        await refuseFull(trx, owner, { maxBytes, now: share.createdAt })
        const { n } = await trx
          .selectFrom('shares')
          .select((eb) => eb.fn.countAll<number | string>().as('n'))
          .where('owner', '=', owner)
          .executeTakeFirstOrThrow()
        if (Number(n) >= maxShares) throw makeError('conflict', 'store.too-many-shares', { most: maxShares })
        const body = encodeStored(share.chat, shareFormat)
        const shown = encodeStored(share.shown, shownFormat)
        const bytes = moreBytes([body, shown])
        await trx
          .insertInto('shares')
          .values({
            owner,
            id: share.id,
            conversation_id: share.conversationId,
            token_hash: share.tokenHash,
            title: cleanTitle(share.chat.title),
            messages: share.chat.messages.length,
            body,
            shown,
            bytes,
            created_at: share.createdAt,
            expires_at: share.expiresAt,
          })
          .execute()
        await growConversation(trx, owner, share.conversationId, bytes)
        const { id, conversationId, createdAt, expiresAt } = share
        return {
          id,
          conversationId,
          title: cleanTitle(share.chat.title),
          messages: share.chat.messages.length,
          shown: share.shown,
          createdAt,
          expiresAt,
        }
      }),

    async listShares(owner, now, conversationId) {
      const rows = await db
        .selectFrom('shares as s')
        .innerJoin('conversations as c', (join) =>
          join.on('c.owner', '=', owner).onRef('c.id', '=', 's.conversation_id').on('c.deleted_at', 'is', null),
        )
        .select(['s.id', 's.conversation_id', 's.shown', 's.title', 's.messages', 's.created_at', 's.expires_at'])
        .where('s.owner', '=', owner)
        .where('s.expires_at', '>', now)
        .$if(conversationId !== undefined, (some) => some.where('s.conversation_id', '=', conversationId ?? ''))
        .orderBy('s.created_at', 'desc')
        .orderBy('s.id')
        .execute()
      return rows.map((row): SharedLink => ({
        id: row.id,
        conversationId: row.conversation_id,
        title: row.title,
        messages: row.messages,
        // If it is unreadable, assume that the link shows everything: that is the safe answer for its owner.
        shown: decodeStored(row.shown, shownFormat) ?? everythingShown,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }))
    },

    removeShare: remove,

    async readShare(tokenHash, now) {
      const row = await db
        .selectFrom('shares')
        .select(['owner', 'conversation_id', 'body', 'created_at', 'expires_at'])
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (!row) return null
      // Links of a disabled account stop at once, and work again when it is enabled.
      const disabled = await db
        .selectFrom('auth_user')
        .select('id')
        .where('owner', '=', row.owner)
        .where('disabledAt', 'is not', null)
        .executeTakeFirst()
      if (disabled) return null
      // A deleted chat is hidden at once; if it is restored, its links work again.
      const chat = await db
        .selectFrom('conversations')
        .select('id')
        .where('owner', '=', row.owner)
        .where('id', '=', row.conversation_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      const shown = chat ? decodeStored(row.body, shareFormat) : null
      return shown ? { chat: shown, createdAt: row.created_at, expiresAt: row.expires_at } : null
    },

    async sweepShares(before, atMost) {
      const due = await db
        .selectFrom('shares')
        .select(['owner', 'id'])
        .where('expires_at', '<=', before)
        .limit(atMost)
        .execute()
      let gone = 0
      for (const { owner, id } of due) if (await remove(owner, id)) gone += 1
      const reviews = await db
        .selectFrom('reviews')
        .select(['owner', 'token_hash'])
        .where('expires_at', '<=', before)
        .limit(atMost - due.length)
        .execute()
      for (const { owner, token_hash: hash } of reviews) if (await removeReview(db, owner, hash)) gone += 1
      return gone
    },
  }
}

/** Deletes a link with its content, which reduces the chat's size. False: there is none. */
const removeLink = (db: Kysely<Schema>, owner: string, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('shares')
      .select('conversation_id')
      .where('owner', '=', owner)
      .where('id', '=', id)
      .executeTakeFirst()
    // The chat's row first, like everyone who writes into a chat.
    if (!found) return false
    await lockConversation(trx, owner, found.conversation_id)
    const gone = await trx
      .deleteFrom('shares')
      .where('owner', '=', owner)
      .where('id', '=', id)
      .returning(['conversation_id', 'bytes'])
      .executeTakeFirst()
    if (gone) await growConversation(trx, owner, gone.conversation_id, -gone.bytes)
    return gone !== undefined
  })
