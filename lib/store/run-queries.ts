import { sql, type Kysely, type Transaction } from 'kysely'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { foldRunEvent, type RunEvent } from '@/lib/conversation/run-event'
import { silence, type DatabaseTime } from './database-time'
import type { MessageTable, RunEventTable, RunTable, Schema } from './schema'
import { eventFormat, messageFormat } from './row-formats'
import { messageFromRow, runFromRow } from './rows'
import type { Store } from './store'
import { decodeStored, encodeStored } from './stored-json'

type RunQueries = Pick<
  Store,
  | 'loadRun'
  | 'findRun'
  | 'appendRunEvents'
  | 'readRunEvents'
  | 'loadReply'
  | 'endRun'
  | 'requestStop'
  | 'staleRuns'
  | 'pruneRunEvents'
>

const eventRow = (runId: string, event: RunEvent) => ({
  run_id: runId,
  seq: event.seq,
  body: encodeStored(event, eventFormat),
})

/** Undefined where it can't be read, or is not the one that its row says. */
function eventFromRow({ seq, body }: Pick<RunEventTable, 'seq' | 'body'>): RunEvent | undefined {
  const event = decodeStored(body, eventFormat)
  return event?.seq === seq ? event : undefined
}

/**
 * A transaction that need not wait for the disk: after a power cut the last ones may be missing, in order, and nothing
 * else. Any later full commit makes them last too.
 */
export type RelaxedTransaction = <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>

/**
 * The run log's rows. Whoever writes takes the run's row first, so that nothing is added to a run that has ended. The
 * pieces of a reply, some twenty a second and run, are written by `relaxed`; its start and its end are not.
 */
export function runQueries(db: Kysely<Schema>, relaxed: RelaxedTransaction, time: DatabaseTime): RunQueries {
  const runs = () => db.selectFrom('runs').selectAll('runs').select(silence(time).as('silent_ms'))

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

    appendRunEvents: (runId, events) =>
      relaxed(async (trx) => {
        const run = await trx
          .updateTable('runs')
          .set({ heartbeat_at: time.now() })
          .where('id', '=', runId)
          .where('status', '=', 'running')
          .returning('stop_requested')
          .executeTakeFirst()
        if (!run) return { live: false, stopRequested: false }
        if (events.length > 0) {
          await trx
            .insertInto('run_events')
            .values(events.map((event) => eventRow(runId, event)))
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        }
        return { live: true, stopRequested: run.stop_requested !== 0 }
      }),

    async readRunEvents(runId, after, limit) {
      // The run's row first: if it says `ended`, the events read after it are complete.
      const run = await runs().where('id', '=', runId).executeTakeFirst()
      if (!run) return null
      const rows = await db
        .selectFrom('run_events')
        .select(['seq', 'body'])
        .where('run_id', '=', runId)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute()
      // Behind one that can't be read there is nothing to go on with: the reader gets the whole reply once it has ended.
      const events = rows.map(eventFromRow)
      const until = events.indexOf(undefined)
      return {
        run: runFromRow(run),
        events: (until < 0 ? events : events.slice(0, until)).filter((one) => one !== undefined),
      }
    },

    async loadReply(runId) {
      const row = await db
        .selectFrom('runs')
        .innerJoin('messages', (join) =>
          join
            .onRef('messages.conversation_id', '=', 'runs.conversation_id')
            .onRef('messages.id', '=', 'runs.message_id'),
        )
        .select(['messages.id', 'messages.conversation_id', 'messages.body'])
        .where('runs.id', '=', runId)
        .executeTakeFirst()
      return row ? replyFromRow(row) : null
    },

    endRun: (runId, ending, now) =>
      db.transaction().execute(async (trx) => {
        // The conversation's row first, as appends take it: the other order deadlocks with them on PostgreSQL.
        const conversation = trx.selectFrom('runs').select('conversation_id').where('id', '=', runId)
        await trx
          .updateTable('conversations')
          .set((eb) => ({ updated_at: eb.ref('updated_at') }))
          .where('id', '=', conversation)
          .execute()
        let claim = trx
          .updateTable('runs')
          .set({ status: 'ended', ended_at: time.now() })
          .where('id', '=', runId)
          .where('status', '=', 'running')
        if (ending.silentForMs !== undefined) claim = claim.where(silence(time), '>', ending.silentForMs)
        const run = await claim.returning(['conversation_id', 'message_id']).executeTakeFirst()
        if (!run) return false

        const events = await trx
          .selectFrom('run_events')
          .select(['seq', 'body'])
          .where('run_id', '=', runId)
          .orderBy('seq')
          .execute()
        const log = events.map(eventFromRow)
        const [start] = log
        const empty = start?.type === 'start' ? start.message : await emptyReply(trx, run)
        const read = log.filter((event) => event !== undefined)
        const isWhole = read.length === log.length
        const { failure, usage } = ending
        // A reply that lacks words may say something else than the model did: nothing in it may run.
        const outcome = isWhole || ending.outcome !== 'finished' ? ending.outcome : 'interrupted'
        const end: RunEvent = { seq: log.length + 1, type: 'end', outcome, failure, usage }
        // Concatenating thousands of deltas through folds is fine: V8 joins ropes lazily.
        const folded = [...read, end].reduce<AssistantMessage>(foldRunEvent, empty)
        const message: AssistantMessage = isWhole ? folded : { ...folded, unreadable: 'part' }

        await trx.insertInto('run_events').values(eventRow(runId, end)).execute()
        await trx
          .updateTable('messages')
          .set({
            body: encodeStored(message, messageFormat),
            runnable_calls: outcome === ending.outcome ? ending.runnableCalls : 0,
          })
          .where('conversation_id', '=', run.conversation_id)
          .where('id', '=', run.message_id)
          .execute()
        await trx.updateTable('conversations').set({ updated_at: now }).where('id', '=', run.conversation_id).execute()
        return true
      }),

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

    pruneRunEvents: (endedForMs) =>
      db.transaction().execute(async (trx) => {
        const pruned = await trx
          .updateTable('runs')
          .set({ events_pruned: 1 })
          .where('events_pruned', '=', 0)
          .where('ended_at', '<', sql<number>`${time.now()} - ${endedForMs}`)
          .returning('id')
          .execute()
        // In pieces: SQLite takes at most 32,766 parameters.
        for (let at = 0; at < pruned.length; at += 1000) {
          const ids = pruned.slice(at, at + 1000).map(({ id }) => id)
          await trx.deleteFrom('run_events').where('run_id', 'in', ids).execute()
        }
      }),
  }
}

/** The reply of a run. One of which nothing can be read is wordless. */
function replyFromRow({
  id,
  conversation_id: conversationId,
  body,
}: Pick<MessageTable, 'id' | 'conversation_id' | 'body'>) {
  return messageFromRow({ id, conversationId, body, before: null, role: 'assistant' }) as AssistantMessage
}

/** The reply as it stood before its first word, where the log can't tell. */
async function emptyReply(
  trx: Transaction<Schema>,
  { conversation_id, message_id }: Pick<RunTable, 'conversation_id' | 'message_id'>,
): Promise<AssistantMessage> {
  const row = await trx
    .selectFrom('messages')
    .select(['id', 'conversation_id', 'body'])
    .where('conversation_id', '=', conversation_id)
    .where('id', '=', message_id)
    .executeTakeFirstOrThrow()
  return replyFromRow(row)
}
