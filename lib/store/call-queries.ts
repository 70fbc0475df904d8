import type { Kysely } from 'kysely'
import { AppError } from '@/lib/base/app-error'
import type { Schema } from './schema'
import { callBody, callFromRow, outcomeText, rowFromCall } from './rows'
import type { Store } from './store'

/** Decisions and outcomes: the unique row of (conversation, message, slot) is what makes a call run exactly once. */
export function callQueries(db: Kysely<Schema>): Pick<Store, 'decideCall' | 'finishCall'> {
  return {
    decideCall: (owner, conversationId, record) =>
      db.transaction().execute(async (trx) => {
        const mine = await trx
          .selectFrom('conversations')
          .select('id')
          .where('id', '=', conversationId)
          .where('owner', '=', owner)
          .executeTakeFirst()
        if (!mine) throw new AppError('not-found', 'There is no conversation under this address.')

        const row = rowFromCall(conversationId, record)
        const granted =
          record.attempt === 1
            ? await trx
                .insertInto('calls')
                .values(row)
                .onConflict((conflict) => conflict.doNothing())
                .returningAll()
                .executeTakeFirst()
            : await trx
                .updateTable('calls')
                .set({
                  decision: record.decision,
                  runner_id: record.runnerId,
                  attempt: record.attempt,
                  body: callBody(record),
                  decided_at: record.decidedAt,
                })
                .where('conversation_id', '=', conversationId)
                .where('message_id', '=', record.messageId)
                .where('slot', '=', record.slot)
                .where('attempt', '=', record.attempt - 1)
                .where('decision', '=', 'run')
                .where('outcome', 'is', null)
                .where('posted_in', 'is', null)
                .returningAll()
                .executeTakeFirst()
        if (granted) return { granted: true, call: callFromRow(granted) }

        const standing = await trx
          .selectFrom('calls')
          .selectAll()
          .where('conversation_id', '=', conversationId)
          .where('message_id', '=', record.messageId)
          .where('slot', '=', record.slot)
          .executeTakeFirst()
        if (!standing) throw new AppError('call-not-open', 'This call was not started yet, so it cannot be run again.')
        return { granted: false, call: callFromRow(standing) }
      }),

    async finishCall(owner, conversationId, key, outcome, now) {
      const finished = await db
        .updateTable('calls')
        .set({ outcome: outcomeText(outcome), finished_at: now })
        .where('conversation_id', '=', conversationId)
        .where('message_id', '=', key.messageId)
        .where('slot', '=', key.slot)
        .where('attempt', '=', key.attempt)
        .where('runner_id', '=', key.runnerId)
        .where('decision', '=', 'run')
        .where('outcome', 'is', null)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('conversations')
              .select('conversations.id')
              .whereRef('conversations.id', '=', 'calls.conversation_id')
              .where('conversations.owner', '=', owner),
          ),
        )
        .returningAll()
        .executeTakeFirst()
      if (finished) return callFromRow(finished)

      const stored = await db
        .selectFrom('calls')
        .innerJoin('conversations', 'conversations.id', 'calls.conversation_id')
        .selectAll('calls')
        .where('conversations.owner', '=', owner)
        .where('calls.conversation_id', '=', conversationId)
        .where('calls.message_id', '=', key.messageId)
        .where('calls.slot', '=', key.slot)
        .where('calls.attempt', '=', key.attempt)
        .where('calls.runner_id', '=', key.runnerId)
        .where('calls.outcome', 'is not', null)
        .executeTakeFirst()
      return stored ? callFromRow(stored) : null
    },
  }
}
