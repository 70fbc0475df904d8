import type { Kysely } from 'kysely'
import type { ResultRelease } from '@/lib/shared/conversation/conversation'
import { releasedLine } from '@/lib/shared/conversation/wire/log-lines'
import { makeError } from '@/lib/i18n/t'
import { callRow } from '../calls/call-row'
import { growConversation, moreBytes, refuseLargeEnd } from '../database/conversation-bytes'
import { requireConversation } from '../database/lock-conversation'
import { writeLog } from '../calls/log-queries'
import { callFromRow, callJson } from '../database/rows'
import { sameJson } from '../database/same-json'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'

/** What the user let out of a result that waited for a look. */
export function releaseQueries(db: Kysely<Schema>): Pick<Store, 'releaseCall'> {
  return {
    releaseCall: (owner, conversationId, key, release, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const row = await callRow(trx, owner, conversationId, key)
        const before = row && callFromRow(row)
        if (!before?.gated || !before.outcome || before.attempt !== key.attempt) {
          throw makeError('call-not-open', 'store.nothing-waits')
        }
        if (before.release && isSameRelease(before.release, release)) return before
        if (before.postedIn !== null) {
          throw makeError('call-not-open', 'store.model-knows')
        }
        if (before.release && (before.release.kind !== 'withheld' || release.kind === 'withheld')) return before

        const call = { ...before, release }
        const { release: stored } = callJson(call)
        const grown = moreBytes([stored], [row?.release ?? null])
        await refuseLargeEnd(trx, owner, grown, { maxBytes, now: release.releasedAt })
        await trx
          .updateTable('calls')
          .set({ release: stored })
          .where('owner', '=', owner)
          .where('conversation_id', '=', conversationId)
          .where('message_id', '=', key.messageId)
          .where('slot', '=', key.slot)
          .execute()
        await growConversation(trx, owner, conversationId, grown)
        await writeLog(trx, owner, conversationId, releasedLine(call), release.releasedAt)
        return call
      }),
  }
}

/** The same word again, whenever it was said: a request that is repeated because its answer was lost. */
const isSameRelease = (one: ResultRelease, { releasedAt, ...other }: ResultRelease): boolean =>
  sameJson({ ...one, releasedAt }, { ...other, releasedAt })
