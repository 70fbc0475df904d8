import type { Kysely, Transaction } from 'kysely'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { foldRunEvent, type RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { settleRun } from '../runs/claim-run'
import { storedBytes, grownBy } from '../database/conversation-bytes'
import {
  silence,
  type DatabaseTime,
  atTime,
  prepared,
  preparedWrite,
  timeIn,
  type AtTime,
} from '../database/database-time'
import { newStamp, createAppendStatements, lastSeqOf } from './message-lines'
import type { ChatKey } from '../database/lock-conversation'
import { eventFormat, messageFormat, decodeStored, encodeStored } from '../database/row-formats'
import { replyFromRow, runFromRow } from '../database/rows'
import { selectRun } from '../runs/run-queries'
import type { MessageTable, RunEventTable, RunTable, Schema } from '../ports/schema'
import type { EventsOfRun, RunAppended, RunKey, StoredRunEnding } from '../ports/run-store'
import type { Store } from '../ports/store'
import { enqueueForIndexing } from '../search/search-queries'

/** Another writer has added to the log since it was read, so its end must be computed again. */
class LogMoved extends Error {}

type Trx = Transaction<Schema>
type RunEventQueries = Pick<Store, 'appendRunEvents' | 'appendEventsOfRuns' | 'readRunEvents' | 'endRun'>

/**
 * A transaction that need not wait for the disk: after a power failure the last ones may be missing, in order, and
 * nothing else. Any later full commit makes them durable too.
 */
export type RelaxedTransaction = <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>

const eventRow = ({ owner, runId }: RunKey, event: RunEvent) => ({
  owner,
  run_id: runId,
  seq: event.seq,
  body: encodeStored(event, eventFormat),
})

/** Undefined if it can't be read, or does not match its row. */
function eventFromRow({ seq, body }: Pick<RunEventTable, 'seq' | 'body'>): RunEvent | undefined {
  const event = decodeStored(body, eventFormat)
  return event?.seq === seq ? event : undefined
}

const keyOf = (owner: string, runId: string): string => `${owner} ${runId}`

/**
 * The rows of the run log. A writer locks the run's row first, so that nothing is added to an ended run. The pieces of
 * a reply, about twenty per second and run, are written with `relaxed`; its start and its end are not.
 */
export function runEventQueries(db: Kysely<Schema>, relaxed: RelaxedTransaction, time: DatabaseTime): RunEventQueries {
  const statements = createAppendStatements(time)
  const select = selectRun(time)
  const closeRun = closeOf(time)
  const insert = (trx: Trx, key: RunKey, events: readonly RunEvent[]) =>
    statements.insert(
      trx,
      events.map((event) => eventRow(key, event)),
    )

  async function appendTo(trx: Trx, appended: readonly EventsOfRun[]): Promise<readonly RunAppended[]> {
    // In a fixed order, so that no two transactions deadlock.
    const runs = appended
      .map(({ run }) => run)
      .toSorted((a, b) => (keyOf(a.owner, a.runId) < keyOf(b.owner, b.runId) ? -1 : 1))
    const beaten = new Map((await statements.beat(trx, runs)).map((row) => [keyOf(row.owner, row.id), row]))
    const rows: ReturnType<typeof eventRow>[] = []
    const answers = appended.map(({ run, events }): RunAppended => {
      const row = beaten.get(keyOf(run.owner, run.runId))
      if (!row) return { live: false, stopRequested: false, lastSeq: 0 }
      const answer = { live: true, stopRequested: row.stop_requested !== 0, lastSeq: row.last_seq ?? 0 }
      const [first] = events
      if (!first || first.seq > answer.lastSeq + 1) return answer
      rows.push(...events.map((event) => eventRow(run, event)))
      return { ...answer, lastSeq: Math.max(answer.lastSeq, events.at(-1)?.seq ?? 0) }
    })
    await statements.insert(trx, rows)
    return answers
  }

  return {
    appendRunEvents: async (run, events) => {
      const [answer] = await relaxed((trx) => appendTo(trx, [{ run, events }]))
      return answer as RunAppended
    },

    appendEventsOfRuns: (appended) => relaxed((trx) => appendTo(trx, appended)),

    async readRunEvents({ owner, runId }, after, limit) {
      // The run's row first: if it is `ended`, the events read after it are complete.
      const [run] = (await select(db, { owner, runId, ...atTime(time) })).rows
      if (!run) return null
      const { rows } = await eventsBehind(db, { owner, runId, after, limit })
      // Stops before an unreadable or lost event: the reader gets the whole reply once it has ended.
      return { run: runFromRow(run), events: followingOn(after, rows.map(eventFromRow)) }
    },

    endRun: (key, ending, now) =>
      db
        .transaction()
        .execute(async (trx) => {
          const { owner, runId } = key
          // The conversation's row first, like appends: the other order would deadlock on PostgreSQL.
          await lockChatOf(trx, key)
          const { silentForMs = NO_MATTER_HOW_LONG } = ending
          const [run] = (await closeRun(trx, { owner, runId, silentForMs, ...atTime(time) })).rows
          if (!run) return false
          await insert(trx, key, ending.events ?? [])

          const { failure, usage, exact, thoughtMs, pace, sent } = ending
          const { reply, isWhole, lastSeq } = await (ending.said
            ? saidReply(trx, key, run, ending.said)
            : loggedReply(trx, key, run))
          if (ending.lastSeq !== undefined && lastSeq !== ending.lastSeq) throw new LogMoved()
          // A reply with missing text may differ from what the model wrote, so nothing in it may run.
          const outcome = isWhole || ending.outcome !== 'finished' ? ending.outcome : 'interrupted'
          const timed = { ...(thoughtMs && { thoughtMs }), ...(pace && { pace }) }
          const more = { ...(exact && { exact }), ...timed, ...(sent && { sent }) }
          const end: RunEvent = { seq: lastSeq + 1, type: 'end', outcome, failure, usage, ...more }
          const folded = foldRunEvent(reply, end)
          const message: AssistantMessage = isWhole ? folded : { ...folded, unreadable: 'part' }
          const runnable = outcome === ending.outcome ? ending.runnableCalls : 0

          await insert(trx, key, [end])
          const body = encodeStored(message, messageFormat)
          const chat = { owner, conversationId: run.conversation_id }
          await writeReply(trx, { ...chat, id: run.message_id, body, runnable, stamp: newStamp() })
          await enqueueForIndexing(trx, owner, run.conversation_id, run.message_id)
          await growChat(trx, { ...chat, now, grown: storedBytes(body) })
          await settleRun(trx, owner, runId, { outcome, usage }, message)
          return true
        })
        .catch((error: unknown) => {
          if (error instanceof LogMoved) return false
          throw error
        }),
  }
}

const eventsBehind = prepared(
  (db, { owner, runId, after, limit }: RunKey & { readonly after: number; readonly limit: number }) =>
    db
      .selectFrom('run_events')
      .select(['seq', 'body'])
      .where('owner', '=', owner)
      .where('run_id', '=', runId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit),
)

const lockChatOf = preparedWrite((db, { owner, runId }: RunKey) =>
  db
    .updateTable('conversations')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('owner', '=', owner)
    .where('id', '=', (eb) =>
      eb.selectFrom('runs').select('conversation_id').where('owner', '=', owner).where('id', '=', runId),
    ),
)

/** Less than any possible time without a heartbeat. */
const NO_MATTER_HOW_LONG = -1

const closeOf = (time: DatabaseTime) =>
  prepared((db, { owner, runId, silentForMs, now }: RunKey & AtTime & { readonly silentForMs: number }) =>
    db
      .updateTable('runs')
      .set({ status: 'ended', ended_at: timeIn(time, { now }).now() })
      .where('owner', '=', owner)
      .where('id', '=', runId)
      .where('status', '=', 'running')
      .where(silence(timeIn(time, { now })), '>', silentForMs)
      .returning(['conversation_id', 'message_id']),
  )

type WrittenReply = ChatKey & Pick<MessageTable, 'id' | 'body' | 'stamp'> & { readonly runnable: number }

const writeReply = preparedWrite((db, { owner, conversationId, id, body, runnable, stamp }: WrittenReply) =>
  db
    .updateTable('messages')
    .set({ body, runnable_calls: runnable, stamp })
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id),
)

const growChat = preparedWrite(
  (db, { owner, conversationId, now, grown }: ChatKey & AtTime & { readonly grown: number }) =>
    db
      .updateTable('conversations')
      .set({ updated_at: now, bytes: grownBy(grown) })
      .where('owner', '=', owner)
      .where('id', '=', conversationId),
)

/** The leading part of `events` that follows `after` without a gap. */
function followingOn(after: number, events: readonly (RunEvent | undefined)[]): readonly RunEvent[] {
  const following: RunEvent[] = []
  for (const event of events) {
    if (event?.seq !== after + following.length + 1) break
    following.push(event)
  }
  return following
}

type RunOfReply = Pick<RunTable, 'conversation_id' | 'message_id'>

/** A reply without its end, whether it is complete, and its last event number. */
interface EndedReply {
  readonly reply: AssistantMessage
  readonly isWhole: boolean
  readonly lastSeq: number
}

async function saidReply(
  trx: Transaction<Schema>,
  key: RunKey,
  run: RunOfReply,
  { text, reasoning, lastSeq }: NonNullable<StoredRunEnding['said']>,
): Promise<EndedReply> {
  const [logged] = (await lastLogged(trx, key)).rows
  const reply = { ...(await emptyReply(trx, key.owner, run)), text, reasoning }
  return { reply, isWhole: true, lastSeq: Math.max(lastSeq, logged?.seq ?? 0) }
}

const lastLogged = prepared((db, key: RunKey) => lastSeqOf(db, key))

async function loggedReply(trx: Transaction<Schema>, { owner, runId }: RunKey, run: RunOfReply): Promise<EndedReply> {
  const rows = await trx
    .selectFrom('run_events')
    .select(['seq', 'body'])
    .where('owner', '=', owner)
    .where('run_id', '=', runId)
    .orderBy('seq')
    .execute()
  const log = rows.map(eventFromRow)
  const [start] = log
  const empty = start?.type === 'start' ? start.message : await emptyReply(trx, owner, run)
  const read = log.filter((event) => event !== undefined)
  return {
    // Concatenating thousands of deltas this way is fine: V8 joins strings lazily.
    reply: read.reduce<AssistantMessage>(foldRunEvent, empty),
    isWhole: followingOn(0, log).length === rows.length,
    lastSeq: rows.at(-1)?.seq ?? 0,
  }
}

/** The reply before its first token, if the log doesn't contain it. */
async function emptyReply(
  trx: Transaction<Schema>,
  owner: string,
  run: Pick<RunTable, 'conversation_id' | 'message_id'>,
): Promise<AssistantMessage> {
  const [row] = (await replyOf(trx, { owner, conversationId: run.conversation_id, id: run.message_id })).rows
  if (!row) throw new Error('a run without its reply')
  return replyFromRow(row)
}

const replyOf = prepared((db, { owner, conversationId, id }: ChatKey & { readonly id: string }) =>
  db
    .selectFrom('messages')
    .select(['id', 'conversation_id', 'body'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id),
)
