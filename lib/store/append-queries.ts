import { sql, type Kysely, type Transaction } from 'kysely'
import { storeError } from '@/lib/words/store'
import type { AssistantMessage, CallRecord, Conversation, Message } from '@/lib/conversation/conversation'
import { headMoved } from '@/lib/conversation/head-moved'
import { decidedLine, finishedLine, releasedLine, sentLine, type NewLogEntry } from '@/lib/conversation/log-lines'
import { kindOf } from '@/lib/conversation/outline'
import type { RunEvent } from '@/lib/conversation/run-event'
import { loadAmendments, sameAmendments } from './amendment-queries'
import { claimRun } from './claim-run'
import { callTexts, grownBy, moreBytes, storedBytes } from './conversation-bytes'
import { createAppendStatements } from './append-statements'
import type { DatabaseTime } from './database-time'
import { insertImages } from './image-queries'
import { ownConversation } from './lock-conversation'
import { writeLog } from './log-queries'
import { newStamp, placeOfNew } from './message-lines'
import { eventFormat, messageFormat } from './row-formats'
import type { Schema } from './schema'
import {
  callFromRow,
  cleanTitle,
  conversationFromRow,
  foldForSearch,
  messageFromRow,
  rowFromCall,
  type DecodeSettings,
} from './rows'
import { sameJson } from './same-json'
import type { AppendAnswer, AppendPlan, PlannedCall, Store } from './store'
import { encodeStored } from './stored-json'
import { writerFormat } from './tab-run-queries'
import { wordsDue } from './words-due'

type Trx = Transaction<Schema>

/** Gives how much it takes. */
async function insertMessage(trx: Trx, owner: string, message: Message): Promise<number> {
  const place = await placeOfNew(trx, owner, message)
  const body = encodeStored(message, messageFormat)
  await trx
    .insertInto('messages')
    .values((eb) => ({
      owner,
      conversation_id: message.conversationId,
      id: message.id,
      // The conversation's row is locked by now, so this counts 1, 2, 3 … without gaps.
      seq: eb
        .selectFrom('messages')
        .select(sql<number>`coalesce(max(seq), 0) + 1`.as('next'))
        .where('owner', '=', owner)
        .where('conversation_id', '=', message.conversationId),
      body,
      runnable_calls: 0,
      ...place,
      kind: kindOf(message),
      stamp: message.role === 'user' ? newStamp() : null,
    }))
    .execute()
  // A reply has its words at its end.
  if (message.role === 'user') await wordsDue(trx, owner, message.conversationId, message.id)
  return storedBytes(body)
}

async function replay(
  trx: Kysely<Schema>,
  owner: string,
  conversation: Conversation,
  requestId: string,
): Promise<AppendAnswer | null> {
  const conversationId = conversation.id
  const run = await trx
    .selectFrom('runs')
    .select('message_id')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  if (!run) return null
  const load = async (id: string, role?: Message['role']) => {
    const row = await trx
      .selectFrom('messages')
      .select('body')
      .where('owner', '=', owner)
      .where('conversation_id', '=', conversationId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return messageFromRow({ id, conversationId, body: row.body, before: null, ...(role && { role }) })
  }
  const reply = (await load(run.message_id, 'assistant')) as AssistantMessage
  // A request of kind `reply` has no message of its own: its parent stood there before.
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
    conversation,
  }
}

/** Gives how much more the call takes; null: it is not as it was planned. */
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
  // What stands there stays as it is, also where it can't be read.
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

/** Nobody decided, explained, ran or released anything since. The conversation's row is held, so that this stays so. */
const isAsPlanned = (now: CallRecord, before: CallRecord): boolean =>
  now.postedIn === null &&
  now.decision === before.decision &&
  now.attempt === before.attempt &&
  now.reason === before.reason &&
  (now.outcome === null) === (before.outcome === null) &&
  sameJson(now.release, before.release)

/**
 * The reply's calls must be those that the plan was made on: none amended, lifted or decided meanwhile. Gives how much more they
 * take.
 */
async function closeCalls(trx: Trx, owner: string, conversationId: string, plan: AppendPlan): Promise<number> {
  let grown = 0
  for (const call of plan.calls) {
    const more = await closeCall(trx, owner, conversationId, call)
    if (more === null) throw storeError('call-not-open', 'store.calls-changed')
    grown += more
  }
  if (!plan.seen) return grown
  const { messageId, amendments } = plan.seen
  if (!sameAmendments(await loadAmendments(trx, owner, conversationId, messageId), amendments)) {
    throw storeError('call-not-open', 'store.calls-changed')
  }
  const left = await trx
    .selectFrom('calls')
    .select('slot')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('posted_in', 'is', null)
    .executeTakeFirst()
  if (left) throw storeError('call-not-open', 'store.calls-changed')
  return grown
}

/** What an append means for the log: calls that it skipped, runs that it gave up, results that it kept, and what it sent. */
function logLines({ calls, userMessage }: AppendPlan): readonly NewLogEntry[] {
  const lines = calls.flatMap(({ before, after }): readonly NewLogEntry[] => [
    ...(before ? [] : [decidedLine(after, null)]),
    ...(before && !before.outcome && after.outcome ? [finishedLine(after)] : []),
    ...(before && !before.release && after.release ? [releasedLine(after)] : []),
  ])
  const sends = userMessage && (userMessage.results.length > 0 || (userMessage.late ?? []).length > 0)
  return sends ? [...lines, sentLine(userMessage)] : lines
}

async function refuseTakenIds(trx: Trx, owner: string, conversationId: string, plan: AppendPlan): Promise<void> {
  const ids = plan.userMessage ? [plan.userMessage.id, plan.reply.id] : [plan.reply.id]
  const parentId = plan.userMessage ? plan.userMessage.parentId : plan.reply.parentId
  const known = await trx
    .selectFrom('messages')
    .select('id')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', 'in', parentId === null ? ids : [...ids, parentId])
    .execute()
  const found = new Set(known.map(({ id }) => id))
  if (parentId !== null && !found.has(parentId)) {
    throw storeError('not-found', 'store.no-parent')
  }
  if (ids.some((id) => found.has(id))) throw storeError('conflict', 'store.id-taken')
}

async function openRun(
  trx: Trx,
  owner: string,
  requestId: string,
  { reply, writer }: Pick<AppendPlan, 'reply' | 'writer'>,
  { time, process }: { readonly time: DatabaseTime; readonly process?: number },
): Promise<void> {
  const inserted = await trx
    .insertInto('runs')
    .values({
      owner,
      id: reply.runId,
      conversation_id: reply.conversationId,
      message_id: reply.id,
      request_id: requestId,
      status: 'running',
      stop_requested: 0,
      heartbeat_at: time.now(),
      ended_at: null,
      events_pruned: 0,
      ...(writer ? { writer: encodeStored(writer, writerFormat) } : process !== undefined && { process }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) {
    throw storeError('run-in-progress', 'store.writing')
  }
  const start: RunEvent = { seq: 1, type: 'start', message: reply }
  await trx
    .insertInto('run_events')
    .values({ owner, run_id: reply.runId, seq: start.seq, body: encodeStored(start, eventFormat) })
    .execute()
}

/** The one transaction behind `POST /api/chat`. */
export function appendQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
  here: { readonly time: DatabaseTime; readonly process?: number },
): Pick<Store, 'append' | 'findAppend'> {
  const statements = createAppendStatements(here.time)
  return {
    async findAppend(owner, conversationId, requestId) {
      const row = await ownConversation(db, owner, conversationId)
      return row ? replay(db, owner, conversationFromRow(row, decodeSettings), requestId) : null
    },

    append: (owner, conversationId, requestId, plan, now) =>
      db.transaction().execute(async (trx) => {
        // First the conversation's row: its lock puts appends of one conversation in a line on PostgreSQL.
        const conversation = await trx
          .updateTable('conversations')
          .set({ updated_at: now, archived_at: null })
          .where('owner', '=', owner)
          .where('id', '=', conversationId)
          .where('deleted_at', 'is', null)
          .returningAll()
          .executeTakeFirst()
        if (!conversation) throw storeError('not-found', 'store.no-chat')

        const answered = await replay(trx, owner, conversationFromRow(conversation, decodeSettings), requestId)
        if (answered) return answered

        await refuseTakenIds(trx, owner, conversationId, plan)
        if (plan.head !== undefined && conversation.head_id !== plan.head) throw headMoved(conversation.head_id)
        const closed = await closeCalls(trx, owner, conversationId, plan)
        const said = plan.userMessage ? await insertMessage(trx, owner, plan.userMessage) : 0
        const shown = await insertImages(trx, owner, conversationId, plan)
        // Counted at its end, when it has its words.
        await insertMessage(trx, owner, plan.reply)
        await openRun(trx, owner, requestId, plan, here)
        const claimed = plan.claim && (await claimRun(trx, owner, plan.reply, plan.claim, now))
        for (const line of logLines(plan)) await writeLog(trx, owner, conversationId, line, now)
        const changes = {
          head_id: plan.reply.id,
          ...(conversation.title === '' && {
            title: cleanTitle(plan.title),
            title_search: foldForSearch(plan.title),
          }),
        }
        await trx
          .updateTable('conversations')
          .set({ ...changes, bytes: grownBy(said + shown + closed) })
          .where('owner', '=', owner)
          .where('id', '=', conversationId)
          .execute()
        // Last of all: where statements take long, whoever sees it now would take it for one whose heart has stopped.
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
