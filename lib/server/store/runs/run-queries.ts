import { sql, type Kysely } from 'kysely'
import { silence, type DatabaseTime, atTime, prepared, timeIn, type AtTime } from '../database/database-time'
import type { Schema } from '../ports/schema'
import { replyFromRow, runFromRow, callFromRow, callJson } from '../database/rows'
import type { RunKey } from '../ports/run-store'
import type { Store } from '../ports/store'
import type { ResultRelease } from '@/lib/shared/conversation/call-record'
import { releasedLine } from '@/lib/shared/conversation/wire/log-lines'
import { makeError } from '@/lib/i18n/t'
import { callRow } from '../calls/call-queries'
import { growConversation, moreBytes, refuseLargeEnd } from '../database/conversation-bytes'
import { requireConversation } from '../database/lock-conversation'
import { writeLog } from '../calls/log-queries'
import { sameJson } from '../database/row-formats'

type RunQueries = Pick<Store, 'loadRun' | 'loadReply' | 'requestStop' | 'staleRuns'>

/** Runs with the time since their last heartbeat. */
export const selectRuns = (db: Kysely<Schema>, time: DatabaseTime) =>
  db
    .selectFrom('runs')
    .select(['owner', 'id', 'conversation_id', 'message_id', 'status', 'stop_requested', 'writer', 'process'])
    .select(silence(time).as('silent_ms'))

/** One run, as a prepared statement. */
export const selectRun = (time: DatabaseTime) =>
  prepared((db, { owner, runId, now }: RunKey & AtTime) =>
    selectRuns(db, timeIn(time, { now })).where('owner', '=', owner).where('id', '=', runId),
  )

/** Queries about runs, no matter who writes them. */
export function runQueries(db: Kysely<Schema>, time: DatabaseTime): RunQueries {
  const runs = () => selectRuns(db, time)
  const select = selectRun(time)

  return {
    async loadRun(key) {
      const [row] = (await select(db, { ...key, ...atTime(time) })).rows
      return row ? runFromRow(row) : null
    },

    async loadReply({ owner, runId }) {
      const row = await db
        .selectFrom('runs')
        .innerJoin('messages', (join) =>
          join
            .onRef('messages.owner', '=', 'runs.owner')
            .onRef('messages.conversation_id', '=', 'runs.conversation_id')
            .onRef('messages.id', '=', 'runs.message_id'),
        )
        .select(['messages.id', 'messages.conversation_id', 'messages.body'])
        .where('runs.owner', '=', owner)
        .where('runs.id', '=', runId)
        .executeTakeFirst()
      return row ? replyFromRow(row) : null
    },

    async requestStop({ owner, runId }) {
      const result = await db
        .updateTable('runs')
        .set({ stop_requested: 1 })
        .where('owner', '=', owner)
        .where('id', '=', runId)
        .where('status', '=', 'running')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async staleRuns(silentForMs) {
      // A literal in the statement: a partial index on running replies is not used with a parameter.
      const running = sql.lit('running' as const)
      const rows = await runs().where('status', '=', running).where(silence(time), '>', silentForMs).execute()
      return rows.map(runFromRow)
    },
  }
}

/** The user's release of a result that waited for review. */
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

/** The same release, whenever it was made: a request that is repeated because its response was lost. */
const isSameRelease = (one: ResultRelease, { releasedAt, ...other }: ResultRelease): boolean =>
  sameJson({ ...one, releasedAt }, { ...other, releasedAt })
