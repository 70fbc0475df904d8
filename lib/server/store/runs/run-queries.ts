import { sql, type Kysely } from 'kysely'
import { silence, type DatabaseTime } from '../database/database-time'
import { atTime, prepared, timeIn, type AtTime } from '../database/prepared'
import type { Schema } from '../ports/schema'
import { replyFromRow, runFromRow } from '../database/rows'
import type { RunKey } from '../ports/run-store'
import type { Store } from '../ports/store'

type RunQueries = Pick<Store, 'loadRun' | 'loadReply' | 'requestStop' | 'staleRuns'>

/** Runs with how long each was silent. */
export const selectRuns = (db: Kysely<Schema>, time: DatabaseTime) =>
  db.selectFrom('runs').selectAll('runs').select(silence(time).as('silent_ms'))

/** One run, as a statement that is built once. */
export const selectRun = (time: DatabaseTime) =>
  prepared((db, { owner, runId, now }: RunKey & AtTime) =>
    selectRuns(db, timeIn(time, { now })).where('owner', '=', owner).where('id', '=', runId),
  )

/** What is known of runs, whoever writes them. */
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
      // Said in the statement itself: an index of running replies alone answers no question about just any status.
      const running = sql.lit('running' as const)
      const rows = await runs().where('status', '=', running).where(silence(time), '>', silentForMs).execute()
      return rows.map(runFromRow)
    },
  }
}
