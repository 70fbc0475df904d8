import { sql, type Kysely } from 'kysely'
import { silence, type DatabaseTime } from './database-time'
import type { Schema } from './schema'
import { replyFromRow, runFromRow } from './rows'
import type { Store } from './store'

type RunQueries = Pick<Store, 'loadRun' | 'loadReply' | 'requestStop' | 'staleRuns'>

/** Runs with how long each was silent. */
export const selectRuns = (db: Kysely<Schema>, time: DatabaseTime) =>
  db.selectFrom('runs').selectAll('runs').select(silence(time).as('silent_ms'))

/** What is known of runs, whoever writes them. */
export function runQueries(db: Kysely<Schema>, time: DatabaseTime): RunQueries {
  const runs = () => selectRuns(db, time)

  return {
    async loadRun({ owner, runId }) {
      const row = await runs().where('owner', '=', owner).where('id', '=', runId).executeTakeFirst()
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
