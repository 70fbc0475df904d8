import { sql, type Kysely } from 'kysely'
import { AppError } from '@/lib/base/app-error'
import { settingsLine } from '@/lib/conversation/log-lines'
import { lockConversation } from './lock-conversation'
import { writeLog } from './log-queries'
import type { Schema } from './schema'
import {
  amendmentFromRow,
  callFromRow,
  cleanTitle,
  containsPattern,
  conversationFromRow,
  foldForSearch,
  countOr,
  grantFromRow,
  messagesFromRows,
  textOr,
  type DecodeSettings,
} from './rows'
import type { Store } from './store'

type ConversationQueries = Pick<
  Store,
  'listConversations' | 'createConversation' | 'loadConversation' | 'updateConversation' | 'deleteConversation'
>

/** Conversations and all that is read with them. */
export function conversationQueries(db: Kysely<Schema>, decodeSettings: DecodeSettings): ConversationQueries {
  const find = (owner: string, id: string) =>
    db.selectFrom('conversations').selectAll().where('id', '=', id).where('owner', '=', owner).executeTakeFirst()

  return {
    async listConversations(owner, query, limit) {
      let rows = db
        .selectFrom('conversations as c')
        .leftJoin('messages as head', (join) =>
          join.onRef('head.conversation_id', '=', 'c.id').onRef('head.id', '=', 'c.head_id'),
        )
        .select((eb) => [
          'c.id',
          'c.title',
          'c.updated_at',
          'head.runnable_calls',
          eb
            .selectFrom('calls')
            .select((count) => count.fn.countAll<number>().as('n'))
            .whereRef('calls.conversation_id', '=', 'c.id')
            .whereRef('calls.message_id', '=', 'c.head_id')
            .as('decided'),
          eb
            .selectFrom('calls')
            .select((count) => count.fn.countAll<number>().as('n'))
            .whereRef('calls.conversation_id', '=', 'c.id')
            .whereRef('calls.message_id', '=', 'c.head_id')
            .where('calls.gated', '=', 1)
            .where('calls.release', 'is', null)
            .where('calls.posted_in', 'is', null)
            .as('gated'),
          eb
            .selectFrom('runs')
            .select((count) => count.fn.countAll<number>().as('n'))
            .whereRef('runs.conversation_id', '=', 'c.id')
            .where('runs.status', '=', 'running')
            .as('running'),
        ])
        .where('c.owner', '=', owner)
      if (query !== '') rows = rows.where(sql<boolean>`c.title_search like ${containsPattern(query)} escape '\\'`)
      const found = await rows.orderBy('c.updated_at', 'desc').orderBy('c.id').limit(limit).execute()
      return found.map((row) => ({
        id: row.id,
        title: textOr(row.title, ''),
        updatedAt: countOr(row.updated_at, 0),
        running: (row.running ?? 0) > 0,
        waitingCalls: Math.max(0, (row.runnable_calls ?? 0) - (row.decided ?? 0)) + (row.gated ?? 0),
      }))
    },

    async createConversation(owner, conversation) {
      await db
        .insertInto('conversations')
        .values({
          id: conversation.id,
          owner,
          title: cleanTitle(conversation.title),
          title_search: foldForSearch(conversation.title),
          settings: JSON.stringify(conversation.settings),
          head_id: null,
          created_at: conversation.createdAt,
          updated_at: conversation.updatedAt,
          imported_at: conversation.importedAt ?? null,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
      const row = await find(owner, conversation.id)
      if (!row) throw new AppError('not-found', 'There is no conversation under this address.')
      return conversationFromRow(row, decodeSettings)
    },

    async loadConversation(owner, id) {
      // One transaction, so that messages, calls and the running run belong together.
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (trx) => {
          const row = await trx
            .selectFrom('conversations')
            .selectAll()
            .where('id', '=', id)
            .where('owner', '=', owner)
            .executeTakeFirst()
          if (!row) return null
          const messages = await trx
            .selectFrom('messages')
            .select(['id', 'body'])
            .where('conversation_id', '=', id)
            .orderBy('seq')
            .execute()
          const calls = await trx
            .selectFrom('calls')
            .selectAll()
            .where('conversation_id', '=', id)
            .orderBy('message_id')
            .orderBy('slot')
            .execute()
          const amendments = await trx
            .selectFrom('amendments')
            .selectAll()
            .where('conversation_id', '=', id)
            .orderBy('message_id')
            .orderBy('slot')
            .execute()
          const grants = await trx
            .selectFrom('grants')
            .selectAll()
            .where('conversation_id', '=', id)
            .orderBy('created_at')
            .orderBy('id')
            .execute()
          const run = await trx
            .selectFrom('runs')
            .select(['id', 'message_id'])
            .where('conversation_id', '=', id)
            .where('status', '=', 'running')
            .executeTakeFirst()
          const isThere = row.head_id === null || messages.some((message) => message.id === row.head_id)
          const conversation = conversationFromRow(row, decodeSettings)
          return {
            // A head that is no message of the chat would show none of it.
            conversation: isThere ? conversation : { ...conversation, headId: messages.at(-1)?.id ?? row.head_id },
            messages: messagesFromRows(id, messages, run?.message_id ?? null),
            calls: calls.map(callFromRow),
            amendments: amendments.map(amendmentFromRow),
            grants: grants.map(grantFromRow),
            activeRunId: run?.id ?? null,
          }
        })
    },

    updateConversation: (owner, id, patch, now) =>
      db.transaction().execute(async (trx) => {
        const before = await lockConversation(trx, owner, id)
        if (!before) return null
        const changes = {
          ...(patch.title !== undefined && {
            title: cleanTitle(patch.title),
            title_search: foldForSearch(patch.title),
          }),
          ...(patch.settings && { settings: JSON.stringify(patch.settings) }),
          ...(patch.headId !== undefined && { head_id: patch.headId }),
          ...(patch.updatedAt !== undefined && { updated_at: patch.updatedAt }),
        }
        if (Object.keys(changes).length > 0) {
          await trx.updateTable('conversations').set(changes).where('id', '=', id).execute()
        }
        if (patch.settings) {
          const line = settingsLine(decodeSettings(before.settings).settings, patch.settings)
          if (line) await writeLog(trx, owner, id, line, now)
        }
        return conversationFromRow({ ...before, ...changes }, decodeSettings)
      }),

    async deleteConversation(owner, id) {
      const result = await db
        .deleteFrom('conversations')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}
