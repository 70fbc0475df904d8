import { sql, type Kysely, type Transaction } from 'kysely'
import { silence, type DatabaseTime, atTime, prepared, timeIn, type AtTime } from '../database/database-time'
import type { Schema } from '../ports/schema'
import { replyFromRow, runFromRow, callFromRow, callJson } from '../database/rows'
import type { RunKey, RunWriterRow } from '../ports/run-store'
import type { Store } from '../ports/store'
import type { ResultRelease } from '@/lib/shared/conversation/call-record'
import { releasedLine } from '@/lib/shared/conversation/wire/log-lines'
import { makeError } from '@/lib/i18n/t'
import { callRow } from '../calls/call-queries'
import { growConversation, moreBytes, refuseLargeEnd } from '../database/conversation-bytes'
import { requireConversation, type ChatKey } from '../database/lock-conversation'
import { writeLog } from '../calls/log-queries'
import { sameJson, encodeStored, type StoredFormat } from '../database/row-formats'
import { type AppendPlan } from '../ports/conversation-store'
import { z } from 'zod'
import { maxSides } from '@/lib/shared/conversation/wire/api-types'

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

export const writerFormat: StoredFormat<RunWriterRow> = {
  version: 1,
  schema: z.object({
    keyHash: z.string(),
    model: z.object({
      label: z.string(),
      providerLabel: z.string(),
      contextTokens: z.number().nullable(),
      seesImages: z.boolean(),
    }),
    skills: z.array(z.object({ name: z.string(), description: z.string() })).exactOptional(),
  }),
}

/** Of replies that are written side by side. A turn's own reply has ''. */
const runSides = ['1', '2', '3']

interface NewRun extends AtTime, RunKey {
  readonly conversationId: string
  readonly messageId: string
  readonly requestId: string
  readonly writer: string | null
  readonly process: number | null
  readonly side: string
}

/** Inserts a run, as a prepared statement. */
export const insertRun = (time: DatabaseTime) =>
  prepared((db, run: NewRun) =>
    db
      .insertInto('runs')
      .values({
        owner: run.owner,
        id: run.runId,
        conversation_id: run.conversationId,
        message_id: run.messageId,
        request_id: run.requestId,
        status: 'running',
        stop_requested: 0,
        heartbeat_at: timeIn(time, run).now(),
        ended_at: null,
        events_pruned: 0,
        writer: run.writer,
        process: run.process,
        side: run.side,
      })
      .onConflict((conflict) => conflict.doNothing()),
  )

/** What a new run needs to know of this process. */
export interface RunOrigin {
  readonly time: DatabaseTime
  readonly process?: number
}

/** The running replies of a chat. */
export const runsBeside = prepared((db, { owner, conversationId }: ChatKey) =>
  db
    .selectFrom('runs')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.owner', '=', 'runs.owner')
        .onRef('messages.conversation_id', '=', 'runs.conversation_id')
        .onRef('messages.id', '=', 'runs.message_id'),
    )
    .select(['runs.side', 'messages.parent_id'])
    .where('runs.owner', '=', owner)
    .where('runs.conversation_id', '=', conversationId)
    .where('runs.status', '=', 'running'),
)

/** The side on which the reply is written; null: not while the others are written. */
export function freeSide(
  rows: Awaited<ReturnType<typeof runsBeside>>['rows'],
  { reply, beside }: AppendPlan,
): string | null {
  if (!beside) return rows.length === 0 ? '' : null
  if (rows.some((row) => row.parent_id !== reply.parentId) || rows.length >= maxSides) return null
  return runSides.find((side) => rows.every((row) => row.side !== side)) ?? null
}

/** Throws `run-in-progress` if another reply of the chat is being written. */
export async function openRun(
  insert: ReturnType<typeof insertRun>,
  trx: Transaction<Schema>,
  owner: string,
  requestId: string,
  { plan: { reply, writer }, side, time, process }: RunOrigin & { readonly plan: AppendPlan; readonly side: string },
): Promise<void> {
  const { numAffectedRows } = await insert(trx, {
    owner,
    runId: reply.runId,
    conversationId: reply.conversationId,
    messageId: reply.id,
    requestId,
    ...atTime(time),
    writer: writer ? encodeStored(writer, writerFormat) : null,
    process: writer ? null : (process ?? null),
    side,
  })
  if (numAffectedRows !== 1n) {
    throw makeError('run-in-progress', 'store.writing')
  }
}
