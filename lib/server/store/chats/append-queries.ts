import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { headMoved } from '@/lib/shared/conversation/head-moved'
import {
  decidedLine,
  finishedLine,
  releasedLine,
  sentLine,
  type NewLogEntry,
} from '@/lib/shared/conversation/wire/log-lines'
import { kindOf } from '@/lib/shared/conversation/outline'
import { mostSides } from '@/lib/shared/conversation/wire/api-types'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { loadAmendments, sameAmendments } from '../calls/approval-queries'
import { claimRun } from '../runs/claim-run'
import { callTexts, grownBy, moreBytes, storedBytes } from '../database/conversation-bytes'
import { type DatabaseTime, atTime, prepared, timeIn, type AtTime } from '../database/database-time'
import { insertImages } from './import-queries'
import { conversationColumns, ownConversation, type ChatKey } from '../database/lock-conversation'
import { writeLog } from '../calls/log-queries'
import { newStamp, lineageAfter, type LineagePosition, createAppendStatements } from './message-lines'
import { eventFormat, messageFormat, encodeStored, sameJson } from '../database/row-formats'
import type { ConversationTable, MessageTable, Schema } from '../ports/schema'
import {
  callFromRow,
  cleanTitle,
  conversationFromRow,
  foldForSearch,
  messageFromRow,
  rowFromCall,
  type DecodeSettings,
} from '../database/rows'
import type { AppendAnswer, AppendPlan, PlannedCall } from '../ports/conversation-store'
import type { RunKey } from '../ports/run-store'
import type { Store } from '../ports/store'
import { writerFormat } from './tab-run-queries'
import { enqueueForIndexing } from '../search/search-queries'

type Trx = Transaction<Schema>

type NewRow = ChatKey & LineagePosition & Pick<MessageTable, 'id' | 'body' | 'kind' | 'stamp'>

const insertRow = prepared((db, row: NewRow) =>
  db.insertInto('messages').values((eb) => ({
    owner: row.owner,
    conversation_id: row.conversationId,
    id: row.id,
    // The conversation's row is locked by now, so this counts 1, 2, 3 … without gaps.
    seq: eb
      .selectFrom('messages')
      .select(sql<number>`coalesce(max(seq), 0) + 1`.as('next'))
      .where('owner', '=', row.owner)
      .where('conversation_id', '=', row.conversationId),
    body: row.body,
    runnable_calls: 0,
    parent_id: row.parent_id,
    depth: row.depth,
    open_ends: row.open_ends,
    kind: row.kind,
    stamp: row.stamp,
  })),
)

/** Returns the added bytes. `place`: after its parent. */
async function insertMessage(trx: Trx, owner: string, message: Message, place: LineagePosition): Promise<number> {
  const body = encodeStored(message, messageFormat)
  await insertRow(trx, {
    owner,
    conversationId: message.conversationId,
    id: message.id,
    body,
    ...place,
    kind: kindOf(message),
    stamp: message.role === 'user' ? newStamp() : null,
  })
  // A reply gets its text at its end.
  if (message.role === 'user') await enqueueForIndexing(trx, owner, message.conversationId, message.id)
  return storedBytes(body)
}

const runOfRequest = prepared((db, { owner, conversationId, requestId }: ChatKey & { readonly requestId: string }) =>
  db
    .selectFrom('runs')
    .select('message_id')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('request_id', '=', requestId),
)

async function replay(
  trx: Kysely<Schema>,
  owner: string,
  row: Selectable<ConversationTable>,
  { requestId, decodeSettings }: { readonly requestId: string; readonly decodeSettings: DecodeSettings },
): Promise<AppendAnswer | null> {
  const conversationId = row.id
  const [run] = (await runOfRequest(trx, { owner, conversationId, requestId })).rows
  if (!run) return null
  const load = async (id: string, role?: Message['role']) => {
    const stored = await trx
      .selectFrom('messages')
      .select('body')
      .where('owner', '=', owner)
      .where('conversation_id', '=', conversationId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return messageFromRow({ id, conversationId, body: stored.body, before: null, ...(role && { role }) })
  }
  const reply = (await load(run.message_id, 'assistant')) as AssistantMessage
  // A `reply` request has no message of its own: its parent existed before.
  const parent = reply.parentId === requestId ? await load(requestId) : null
  const calls = await trx
    .selectFrom('calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('posted_in', '=', requestId)
    .orderBy('slot')
    .execute()
  return {
    replayed: true,
    userMessage: parent?.role === 'user' ? parent : null,
    reply,
    calls: calls.map(callFromRow),
    conversation: conversationFromRow(row, decodeSettings),
  }
}

/** Returns the added bytes; null if the call is not as it was planned. */
async function closeCall(
  trx: Trx,
  owner: string,
  conversationId: string,
  { before, after }: PlannedCall,
): Promise<number | null> {
  const row = rowFromCall(owner, conversationId, after)
  if (!before) {
    const inserted = await trx
      .insertInto('calls')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n ? moreBytes(callTexts(row)) : null
  }
  const { messageId, slot } = before
  const stored = await trx
    .selectFrom('calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('slot', '=', slot)
    .executeTakeFirst()
  if (!stored || !isAsPlanned(callFromRow(stored), before)) return null
  // An existing outcome stays, even if it is unreadable.
  const outcome = before.outcome === null ? row.outcome : stored.outcome
  const release = before.release === null ? row.release : stored.release
  await trx
    .updateTable('calls')
    .set({
      outcome,
      ...(before.outcome === null && { finished_at: after.finishedAt, gated: after.gated ? 1 : 0 }),
      release,
      posted_in: after.postedIn,
    })
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('slot', '=', slot)
    .execute()
  return moreBytes([outcome, release], [stored.outcome, stored.release])
}

/** Nothing was decided, explained, run or released since. The conversation's row is locked, so this remains true. */
const isAsPlanned = (now: CallRecord, before: CallRecord): boolean =>
  now.postedIn === null &&
  now.decision === before.decision &&
  now.attempt === before.attempt &&
  now.reason === before.reason &&
  (now.outcome === null) === (before.outcome === null) &&
  sameJson(now.release, before.release)

/** The reply's calls must be those of the plan: none amended, lifted or decided meanwhile. Returns the added bytes. */
async function closeCalls(trx: Trx, owner: string, conversationId: string, plan: AppendPlan): Promise<number> {
  let grown = 0
  for (const call of plan.calls) {
    const more = await closeCall(trx, owner, conversationId, call)
    if (more === null) throw makeError('call-not-open', 'store.calls-changed')
    grown += more
  }
  if (!plan.seen) return grown
  const { messageId, amendments } = plan.seen
  if (!sameAmendments(await loadAmendments(trx, owner, conversationId, messageId), amendments)) {
    throw makeError('call-not-open', 'store.calls-changed')
  }
  const left = await trx
    .selectFrom('calls')
    .select('slot')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('posted_in', 'is', null)
    .executeTakeFirst()
  if (left) throw makeError('call-not-open', 'store.calls-changed')
  return grown
}

/** The log entries of an append: skipped calls, abandoned runs, withheld results, and what was sent. */
function logLines({ calls, userMessage }: AppendPlan): readonly NewLogEntry[] {
  const lines = calls.flatMap(({ before, after }): readonly NewLogEntry[] => [
    ...(before ? [] : [decidedLine(after, null)]),
    ...(before && !before.outcome && after.outcome ? [finishedLine(after)] : []),
    ...(before && !before.release && after.release ? [releasedLine(after)] : []),
  ])
  const sends = userMessage && (userMessage.results.length > 0 || (userMessage.late ?? []).length > 0)
  return sends ? [...lines, sentLine(userMessage)] : lines
}

/** The rows among three ids that belong to messages of the chat. */
const placesAmong = prepared(
  (db, { owner, conversationId, a, b, c }: ChatKey & { readonly a: string; readonly b: string; readonly c: string }) =>
    db
      .selectFrom('messages')
      .select(['id', 'parent_id', 'depth', 'open_ends'])
      .where('owner', '=', owner)
      .where('conversation_id', '=', conversationId)
      .where('id', 'in', [a, b, c]),
)

const parentOf = ({ userMessage, reply }: AppendPlan): string | null => (userMessage ?? reply).parentId

const placesOf = (trx: Trx, owner: string, conversationId: string, plan: AppendPlan) =>
  placesAmong(trx, {
    owner,
    conversationId,
    a: plan.reply.id,
    b: plan.userMessage?.id ?? '',
    c: parentOf(plan) ?? '',
  })

/** Refuses ids that are taken, and a parent that is not here. Returns the position of the parent. */
function parentAmong(
  places: Awaited<ReturnType<typeof placesOf>>['rows'],
  plan: AppendPlan,
): LineagePosition | undefined {
  const found = new Map(places.map((row) => [row.id, row]))
  const parentId = parentOf(plan)
  const parent = parentId === null ? undefined : found.get(parentId)
  if (parentId !== null && !parent) {
    throw makeError('not-found', 'store.no-parent')
  }
  const isTaken = (id: string | undefined) => id !== undefined && found.has(id)
  if (isTaken(plan.reply.id) || isTaken(plan.userMessage?.id)) throw makeError('conflict', 'store.id-taken')
  return parent
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

const insertRun = (time: DatabaseTime) =>
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

interface Here {
  readonly time: DatabaseTime
  readonly process?: number
}

const runsBeside = prepared((db, { owner, conversationId }: ChatKey) =>
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
function freeSide(rows: Awaited<ReturnType<typeof runsBeside>>['rows'], { reply, beside }: AppendPlan): string | null {
  if (!beside) return rows.length === 0 ? '' : null
  if (rows.some((row) => row.parent_id !== reply.parentId) || rows.length >= mostSides) return null
  return runSides.find((side) => rows.every((row) => row.side !== side)) ?? null
}

async function openRun(
  insert: ReturnType<typeof insertRun>,
  trx: Trx,
  owner: string,
  requestId: string,
  { plan: { reply, writer }, side, time, process }: Here & { readonly plan: AppendPlan; readonly side: string },
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

/** On PostgreSQL its lock serializes appends to one conversation. */
const touchChat = prepared((db, { owner, conversationId, now }: ChatKey & AtTime) =>
  db
    .updateTable('conversations')
    .set({ updated_at: now, archived_at: null })
    .where('owner', '=', owner)
    .where('id', '=', conversationId)
    .where('deleted_at', 'is', null)
    .returning(conversationColumns),
)

type MovedChat = ChatKey & {
  readonly headId: string
  readonly title: string
  readonly titleSearch: string
  readonly grown: number
}

const moveChat = prepared((db, { owner, conversationId, headId, title, titleSearch, grown }: MovedChat) =>
  db
    .updateTable('conversations')
    .set({ head_id: headId, title, title_search: titleSearch, bytes: grownBy(grown) })
    .where('owner', '=', owner)
    .where('id', '=', conversationId),
)

/** The single transaction behind `POST /api/chat`. */
export function appendQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
  here: Here,
): Pick<Store, 'append' | 'findAppend'> {
  const statements = createAppendStatements(here.time)
  const insert = insertRun(here.time)
  return {
    async findAppend(owner, conversationId, requestId) {
      const row = await ownConversation(db, owner, conversationId)
      return row ? replay(db, owner, row, { requestId, decodeSettings }) : null
    },

    append: (owner, conversationId, requestId, plan, now) =>
      db.transaction().execute(async (trx) => {
        // The conversation's row first.
        const [conversation] = (await touchChat(trx, { owner, conversationId, now })).rows
        if (!conversation) throw makeError('not-found', 'store.no-chat')

        const answered = await replay(trx, owner, conversation, { requestId, decodeSettings })
        if (answered) return answered

        const parent = parentAmong((await placesOf(trx, owner, conversationId, plan)).rows, plan)
        if (plan.head !== undefined && conversation.head_id !== plan.head) throw headMoved(conversation.head_id)
        // Nothing is written in a chat without messages.
        const beside = conversation.head_id === null ? [] : (await runsBeside(trx, { owner, conversationId })).rows
        const side = freeSide(beside, plan)
        if (side === null) throw makeError('run-in-progress', 'store.writing')
        const closed = await closeCalls(trx, owner, conversationId, plan)
        const { userMessage, reply } = plan
        const place = userMessage ? lineageAfter(userMessage, parent) : parent
        const start: RunEvent = { seq: 1, type: 'start', message: reply }
        const insertedBytes = userMessage && place ? await insertMessage(trx, owner, userMessage, place) : 0
        const shown = await insertImages(trx, owner, conversationId, plan)
        // Its size is counted at its end, when it has its text.
        await insertMessage(trx, owner, reply, lineageAfter(reply, place))
        await openRun(insert, trx, owner, requestId, { ...here, plan, side })
        const body = encodeStored(start, eventFormat)
        await statements.insert(trx, [{ owner, run_id: reply.runId, seq: start.seq, body }])
        const claimed = plan.claim && (await claimRun(trx, owner, plan.reply, plan.claim, now))
        for (const line of logLines(plan)) await writeLog(trx, owner, conversationId, line, now)
        const named = conversation.title !== '' ? null : plan.title
        const changes = {
          head_id: plan.beside ? conversation.head_id : plan.reply.id,
          title: named === null ? conversation.title : cleanTitle(named),
          title_search: named === null ? conversation.title_search : foldForSearch(named),
        }
        const { head_id: headId, title, title_search: titleSearch } = changes
        const grown = insertedBytes + shown + closed
        await moveChat(trx, { owner, conversationId, headId: headId ?? plan.reply.id, title, titleSearch, grown })
        // Last, because with slow statements another process might otherwise see an old heartbeat and take the run for
        // dead.
        await statements.beat(trx, [{ owner, runId: plan.reply.runId }])
        return {
          replayed: false,
          queued: claimed?.queued ?? false,
          userMessage: plan.userMessage,
          reply: plan.reply,
          calls: plan.calls.map(({ after }) => after),
          conversation: conversationFromRow({ ...conversation, ...changes }, decodeSettings),
        }
      }),
  }
}
