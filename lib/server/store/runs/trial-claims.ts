import type { Kysely } from 'kysely'
import { claimRun, settleRun } from './claim-run'
import type { TrialClaimStore } from '../ports/quotas'
import type { Schema } from '../ports/schema'

/** No chat can have this id. */
export const NO_CHAT = '(trial)'

export const trialClaims = (db: Kysely<Schema>): TrialClaimStore => ({
  claimTrial: (owner, { id, model }, claim, now) =>
    db.transaction().execute(async (trx) => {
      // It never waits in line: whoever measures comes again, and chats go first.
      const reply = { runId: id, conversationId: NO_CHAT, model }
      await claimRun(trx, owner, reply, { ...claim, waits: false, maxQueued: 0 }, now)
    }),

  async beatTrial(owner, id, now) {
    await db
      .updateTable('run_claims')
      .set({ claimed_at: now })
      .where((row) => row.and({ owner, run_id: id, conversation_id: NO_CHAT }))
      .execute()
  },

  settleTrial: (owner, id, ending, written) =>
    db.transaction().execute((trx) => settleRun(trx, owner, id, ending, { text: written, reasoning: '' })),
})
