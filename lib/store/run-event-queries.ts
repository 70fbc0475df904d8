import type { Kysely, Transaction } from 'kysely'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { foldRunEvent, type RunEvent } from '@/lib/conversation/run-event'
import { silence, type DatabaseTime } from './database-time'
import { newStamp } from './message-lines'
import { eventFormat, messageFormat } from './row-formats'
import { replyFromRow, runFromRow } from './rows'
import { selectRuns } from './run-queries'
import type { RunEventTable, RunTable, Schema } from './schema'
import type { RunKey, Store } from './store'
import { decodeStored, encodeStored } from './stored-json'

type RunEventQueries = Pick<Store, 'appendRunEvents' | 'readRunEvents' | 'endRun'>

/**
 * A transaction that need not wait for the disk: after a power cut the last ones may be missing, in order, and nothing
 * else. Any later full commit makes them last too.
 */
export type RelaxedTransaction = <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>

const eventRow = ({ owner, runId }: RunKey, event: RunEvent) => ({
  owner,
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
 * The run log's rows. Whoever writes takes the run's row first, so that nothing is added to a run that has ended. The
 * pieces of a reply, some twenty a second and run, are written by `relaxed`; its start and its end are not.
 */
export function runEventQueries(db: Kysely<Schema>, relaxed: RelaxedTransaction, time: DatabaseTime): RunEventQueries {
  return {
    appendRunEvents: (key, events) =>
      relaxed(async (trx) => {
        const run = await trx
          .updateTable('runs')
          .set({ heartbeat_at: time.now() })
          .where('owner', '=', key.owner)
          .where('id', '=', key.runId)
          .where('status', '=', 'running')
          .returning('stop_requested')
          .executeTakeFirst()
        if (!run) return { live: false, stopRequested: false }
        if (events.length > 0) {
          await trx
            .insertInto('run_events')
            .values(events.map((event) => eventRow(key, event)))
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        }
        return { live: true, stopRequested: run.stop_requested !== 0 }
      }),

    async readRunEvents({ owner, runId }, after, limit) {
      // The run's row first: if it says `ended`, the events read after it are complete.
      const run = await selectRuns(db, time).where('owner', '=', owner).where('id', '=', runId).executeTakeFirst()
      if (!run) return null
      const rows = await db
        .selectFrom('run_events')
        .select(['seq', 'body'])
        .where('owner', '=', owner)
        .where('run_id', '=', runId)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute()
      // Behind one that can't be read there is nothing to go on with: the reader gets the whole reply once it has ended.
      const events = rows.map(eventFromRow)
      const until = events.indexOf(undefined)
      const readable = until < 0 ? events : events.slice(0, until)
      return { run: runFromRow(run), events: readable.filter((event) => event !== undefined) }
    },

    endRun: (key, ending, now) =>
      db.transaction().execute(async (trx) => {
        const { owner, runId } = key
        // The conversation's row first, as appends take it: the other order deadlocks with them on PostgreSQL.
        const conversation = trx
          .selectFrom('runs')
          .select('conversation_id')
          .where('owner', '=', owner)
          .where('id', '=', runId)
        await trx
          .updateTable('conversations')
          .set((eb) => ({ updated_at: eb.ref('updated_at') }))
          .where('owner', '=', owner)
          .where('id', '=', conversation)
          .execute()
        let claim = trx
          .updateTable('runs')
          .set({ status: 'ended', ended_at: time.now() })
          .where('owner', '=', owner)
          .where('id', '=', runId)
          .where('status', '=', 'running')
        if (ending.silentForMs !== undefined) claim = claim.where(silence(time), '>', ending.silentForMs)
        const run = await claim.returning(['conversation_id', 'message_id']).executeTakeFirst()
        if (!run) return false

        const events = await trx
          .selectFrom('run_events')
          .select(['seq', 'body'])
          .where('owner', '=', owner)
          .where('run_id', '=', runId)
          .orderBy('seq')
          .execute()
        const log = events.map(eventFromRow)
        const [start] = log
        const empty = start?.type === 'start' ? start.message : await emptyReply(trx, owner, run)
        const read = log.filter((event) => event !== undefined)
        const isWhole = read.length === log.length
        const { failure, usage } = ending
        // A reply that lacks words may say something else than the model did: nothing in it may run.
        const outcome = isWhole || ending.outcome !== 'finished' ? ending.outcome : 'interrupted'
        const end: RunEvent = { seq: log.length + 1, type: 'end', outcome, failure, usage }
        // Concatenating thousands of deltas through folds is fine: V8 joins ropes lazily.
        const folded = [...read, end].reduce<AssistantMessage>(foldRunEvent, empty)
        const message: AssistantMessage = isWhole ? folded : { ...folded, unreadable: 'part' }
        const runnable = outcome === ending.outcome ? ending.runnableCalls : 0

        await trx.insertInto('run_events').values(eventRow(key, end)).execute()
        await trx
          .updateTable('messages')
          .set({ body: encodeStored(message, messageFormat), runnable_calls: runnable, stamp: newStamp() })
          .where('owner', '=', owner)
          .where('conversation_id', '=', run.conversation_id)
          .where('id', '=', run.message_id)
          .execute()
        await trx
          .updateTable('conversations')
          .set({ updated_at: now })
          .where('owner', '=', owner)
          .where('id', '=', run.conversation_id)
          .execute()
        return true
      }),
  }
}

/** The reply as it stood before its first word, where the log can't tell. */
async function emptyReply(
  trx: Transaction<Schema>,
  owner: string,
  run: Pick<RunTable, 'conversation_id' | 'message_id'>,
): Promise<AssistantMessage> {
  const row = await trx
    .selectFrom('messages')
    .select(['id', 'conversation_id', 'body'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', run.conversation_id)
    .where('id', '=', run.message_id)
    .executeTakeFirstOrThrow()
  return replyFromRow(row)
}
