import type { Kysely } from 'kysely'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { silence, type DatabaseTime } from './database-time'
import type { Schema } from './schema'
import { messageFromBody, runFromRow } from './rows'
import type { Store } from './store'

type RunQueries = Pick<Store, 'loadRun' | 'findRun' | 'loadReply' | 'requestStop' | 'staleRuns'>

/** Runs with how long each was silent. */
export const selectRuns = (db: Kysely<Schema>, time: DatabaseTime) =>
  db.selectFrom('runs').selectAll('runs').select(silence(time).as('silent_ms'))

/** What is known of runs, whoever writes them. */
export function runQueries(db: Kysely<Schema>, time: DatabaseTime): RunQueries {
  const runs = () => selectRuns(db, time)

  const ownRun = (owner: string, runId: string) =>
    runs()
      .innerJoin('conversations', 'conversations.id', 'runs.conversation_id')
      .where('runs.id', '=', runId)
      .where('conversations.owner', '=', owner)
      .executeTakeFirst()

  return {
    async loadRun(owner, runId) {
      const row = await ownRun(owner, runId)
      return row ? runFromRow(row) : null
    },

    async findRun(runId) {
      const row = await runs().where('id', '=', runId).executeTakeFirst()
      return row ? runFromRow(row) : null
    },

    async loadReply(runId) {
      const row = await db
        .selectFrom('runs')
        .innerJoin('messages', (join) =>
          join
            .onRef('messages.conversation_id', '=', 'runs.conversation_id')
            .onRef('messages.id', '=', 'runs.message_id'),
        )
        .select('messages.body')
        .where('runs.id', '=', runId)
        .executeTakeFirst()
      return row ? (messageFromBody(row.body) as AssistantMessage) : null
    },

    async requestStop(owner, runId) {
      const run = await ownRun(owner, runId)
      if (!run) return false
      const result = await db
        .updateTable('runs')
        .set({ stop_requested: 1 })
        .where('id', '=', runId)
        .where('status', '=', 'running')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async staleRuns(silentForMs) {
      const rows = await runs().where('status', '=', 'running').where(silence(time), '>', silentForMs).execute()
      return rows.map(runFromRow)
    },
  }
}
