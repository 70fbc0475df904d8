import type { Kysely } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { explainedLine } from '@/lib/conversation/log-lines'
import { callRow } from './call-row'
import { growConversation, moreBytes } from './conversation-bytes'
import { requireConversation } from './lock-conversation'
import { writeLog } from './log-queries'
import { callFromRow, callJson } from './rows'
import type { Schema } from './schema'
import type { Store } from './store'

/** The reason of a denial, added to its row as long as nothing was sent. */
export function denialQueries(db: Kysely<Schema>): Pick<Store, 'explainDenial'> {
  return {
    explainDenial: (owner, conversationId, key, reason, now) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const row = await callRow(trx, owner, conversationId, key)
        const before = row && callFromRow(row)
        if (before?.decision !== 'deny' || before.by.kind !== 'click') {
          throw makeError('call-not-open', 'store.nothing-denied')
        }
        if (before.reason === reason) return before
        if (before.postedIn !== null) throw makeError('call-not-open', 'store.reason-late')
        if (before.reason !== '') return before

        const call = { ...before, reason }
        const { body } = callJson(call)
        await trx
          .updateTable('calls')
          .set({ body })
          .where('owner', '=', owner)
          .where('conversation_id', '=', conversationId)
          .where('message_id', '=', key.messageId)
          .where('slot', '=', key.slot)
          .execute()
        await growConversation(trx, owner, conversationId, moreBytes([body], [row?.body ?? null]))
        await writeLog(trx, owner, conversationId, explainedLine(call), now)
        return call
      }),
  }
}
