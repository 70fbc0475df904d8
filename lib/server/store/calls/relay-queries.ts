import type { Kysely, Transaction } from 'kysely'
import { decodeStored, encodeStored, relayQuestionFormat } from '../database/row-formats'
import type { CallAttempt } from '../ports/call-store'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'

/*
 * Calls that this app's server passes on to a tool server of the operator. `relay_question` is where a question of that
 * server waits for its answer, which another process may receive: null, then `{ "open": 1 }`, then
 * `{ "open": 1, "answer": … }`, and null again.
 */

const open = (question: number): string => encodeStored({ open: question }, relayQuestionFormat)

const updateCall = (
  db: Kysely<Schema> | Transaction<Schema>,
  owner: string,
  conversationId: string,
  { messageId, slot, attempt }: CallAttempt,
) =>
  db
    .updateTable('calls')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('slot', '=', slot)
    .where('attempt', '=', attempt)
    .where('decision', '=', 'run')

/** Claims a granted call for this app's server; false if it was claimed before, stopped, ended or decided again. */
export async function claimCall(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  key: CallAttempt,
): Promise<boolean> {
  const claimed = await updateCall(trx, owner, conversationId, key)
    .set({ relayed: key.attempt })
    .where('outcome', 'is', null)
    .where('stopped', 'is', null)
    .where((eb) => eb.or([eb('relayed', 'is', null), eb('relayed', '<', key.attempt)]))
    .executeTakeFirst()
  return claimed.numUpdatedRows === 1n
}

export function relayQueries(
  db: Kysely<Schema>,
): Pick<Store, 'openRelayQuestion' | 'answerRelayQuestion' | 'takeRelayAnswer'> {
  return {
    async openRelayQuestion(owner, conversationId, key, question) {
      await updateCall(db, owner, conversationId, key)
        .set({ relay_question: question === null ? null : open(question) })
        .execute()
    },

    async answerRelayQuestion(owner, conversationId, key, question, answer) {
      const answered = await updateCall(db, owner, conversationId, key)
        .set({ relay_question: encodeStored({ open: question, answer }, relayQuestionFormat) })
        .where('outcome', 'is', null)
        .where('relay_question', '=', open(question))
        .executeTakeFirst()
      return answered.numUpdatedRows === 1n
    },

    async takeRelayAnswer(owner, conversationId, { messageId, slot, attempt }, question) {
      const row = await db
        .selectFrom('calls')
        .select('relay_question')
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId)
        .where('message_id', '=', messageId)
        .where('slot', '=', slot)
        .where('attempt', '=', attempt)
        .executeTakeFirst()
      const stored = row?.relay_question ?? null
      const known = stored === null ? undefined : decodeStored(stored, relayQuestionFormat)
      return known?.open === question ? (known.answer ?? null) : null
    },
  }
}
