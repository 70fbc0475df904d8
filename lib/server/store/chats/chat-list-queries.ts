import type { Kysely, Transaction } from 'kysely'
import { cleanTag, mostPinned, mostTags, type ChatsChange } from '@/lib/shared/conversation/search/list-filter'
import { makeError } from '@/lib/i18n/t'
import { settleDeleted } from '../runs/claim-run'
import type { Schema } from '../ports/schema'
import { ERASED, type ChatListStore } from '../ports/store'

type Trx = Transaction<Schema>

export function chatListQueries(db: Kysely<Schema>): ChatListStore {
  const tagCounts = (within: Kysely<Schema>, owner: string) =>
    within
      .selectFrom('conversation_tags as t')
      .innerJoin('conversations as c', (join) =>
        join.on('c.owner', '=', owner).onRef('c.id', '=', 't.conversation_id').on('c.deleted_at', 'is', null),
      )
      .select((eb) => ['t.tag', eb.fn.countAll<number | string>().as('chats')])
      .where('t.owner', '=', owner)
      .groupBy('t.tag')
      .orderBy('t.tag')
      .execute()

  async function label(trx: Trx, owner: string, ids: readonly string[], { addTag, removeTag }: ChatsChange) {
    const added = cleanTag(addTag ?? '')
    if (removeTag !== undefined) {
      await trx
        .deleteFrom('conversation_tags')
        .where('owner', '=', owner)
        .where('conversation_id', 'in', ids)
        .where('tag', '=', cleanTag(removeTag))
        .execute()
    }
    if (added === '') return
    await trx
      .insertInto('conversation_tags')
      .values(ids.map((id) => ({ owner, conversation_id: id, tag: added })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const tags = await tagCounts(trx, owner)
    if (tags.length > mostTags) throw makeError('bad-request', 'store.too-many-tags', { most: mostTags })
  }

  return {
    sortConversations: (owner, ids, change, now) =>
      db.transaction().execute(async (trx) => {
        const chats = trx
          .selectFrom('conversations')
          .select(['id', 'deleted_at'])
          .where('owner', '=', owner)
          .where('id', 'in', ids)
        const rows = await chats.orderBy('id').execute()
        const there = rows.flatMap(({ id, deleted_at }) =>
          deleted_at !== ERASED && (deleted_at !== null) === (change.deleted === false) ? [id] : [],
        )
        if (there.length === 0) return []
        const at = (is: boolean) => (is ? now : null)
        const changes = {
          ...(change.pinned !== undefined && { pinned_at: at(change.pinned) }),
          ...(change.archived !== undefined && { archived_at: at(change.archived) }),
          // What is put away does not stand on top, and the other way round.
          ...(change.pinned === true && { archived_at: null }),
          ...(change.archived === true && { pinned_at: null }),
          ...(change.deleted !== undefined && { deleted_at: at(change.deleted) }),
        }
        if (Object.keys(changes).length > 0) {
          await trx
            .updateTable('conversations')
            .set(changes)
            .where('owner', '=', owner)
            .where('id', 'in', there)
            .execute()
        }
        if (change.pinned === true) await refuseTooManyPinned(trx, owner)
        await label(trx, owner, there, change)
        return there
      }),

    async listTags(owner) {
      const rows = await tagCounts(db, owner)
      return rows.map(({ tag, chats }) => ({ tag, chats: Number(chats) }))
    },

    async purgeDeleted(before, atMost) {
      const due = await db
        .selectFrom('conversations')
        .select(['owner', 'id'])
        .where('deleted_at', '<', before)
        .limit(atMost)
        .execute()
      let gone = 0
      for (const { owner, id } of due) {
        const deleted = await db.transaction().execute(async (trx) => {
          // It may have been taken back in this very moment. A sum, so that its key finds it and no other index.
          const { numDeletedRows } = await trx
            .deleteFrom('conversations')
            .where('owner', '=', owner)
            .where('id', '=', id)
            .where((eb) => eb(eb('deleted_at', '+', 0), '<', before))
            .executeTakeFirst()
          if (numDeletedRows > 0n) await settleDeleted(trx, owner, id)
          return numDeletedRows > 0n
        })
        if (deleted) gone += 1
      }
      return gone
    },
  }
}

async function refuseTooManyPinned(trx: Trx, owner: string): Promise<void> {
  const { n } = await trx
    .selectFrom('conversations')
    .select((eb) => eb.fn.countAll<number | string>().as('n'))
    .where('owner', '=', owner)
    .where('pinned_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(n) > mostPinned) throw makeError('bad-request', 'store.too-many-pinned', { most: mostPinned })
}
