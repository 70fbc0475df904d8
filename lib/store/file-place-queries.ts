import type { ExpressionBuilder, Kysely } from 'kysely'
import type { AccountRows } from './account-rows'
import { ownConversation } from './lock-conversation'
import type { Schema } from './schema'

/** Of a chat: more than anybody has; those that told of their files last. */
const MOST_BROWSERS = 50

/** Which browser holds the files of a conversation. */
export function filePlaceQueries(db: Kysely<Schema>): Pick<AccountRows, 'noteFilePlace' | 'listFilePlaces'> {
  return {
    async noteFilePlace(owner, conversationId, { browserId, browser, files, at }) {
      if (!(await ownConversation(db, owner, conversationId))) return
      await db
        .insertInto('file_places')
        .values({ owner, conversation_id: conversationId, browser_id: browserId, browser, files, at })
        .onConflict((conflict) =>
          conflict.columns(['owner', 'conversation_id', 'browser_id']).doUpdateSet({ browser, files, at }),
        )
        .execute()
      const ofChat = (row: ExpressionBuilder<Schema, 'file_places'>) =>
        row.and({ owner, conversation_id: conversationId })
      await db
        .deleteFrom('file_places')
        .where(ofChat)
        .where(
          'browser_id',
          'not in',
          db.selectFrom('file_places').select('browser_id').where(ofChat).orderBy('at', 'desc').limit(MOST_BROWSERS),
        )
        .execute()
    },

    async listFilePlaces(owner, conversationId) {
      const rows = await db
        .selectFrom('file_places')
        .select(['browser_id', 'browser', 'files', 'at'])
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId)
        .orderBy('at', 'desc')
        .execute()
      return rows.map(({ browser_id: browserId, ...row }) => ({ browserId, ...row }))
    },
  }
}
