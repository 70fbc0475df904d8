import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import { headMoved } from '@/lib/server/store/ports/store-error'
import {
  decidedLine,
  finishedLine,
  releasedLine,
  sentLine,
  type NewLogEntry,
} from '@/lib/shared/conversation/wire/log-lines'
import { kindOf } from '@/lib/shared/conversation/outline'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { claimRun } from '../runs/claim-run'
import { grownBy, storedBytes } from '../database/conversation-bytes'
import { prepared, preparedWrite, type AtTime } from '../database/database-time'
import { insertImages } from './import-queries'
import { conversationColumns, ownConversation, type ChatKey } from '../database/lock-conversation'
import { writeLog } from '../calls/log-queries'
import { newStamp, lineageAfter, type LineagePosition, createAppendStatements } from './message-lines'
import { eventFormat, messageFormat, encodeStored } from '../database/row-formats'
import type { ConversationTable, MessageTable, Schema } from '../ports/schema'
import {
  callFromRow,
  cleanTitle,
  conversationFromRow,
  foldForSearch,
  messageFromRow,
  type DecodeSettings,
} from '../database/rows'
import type { AppendAnswer, AppendPlan } from '../ports/conversation-store'
import type { Store } from '../ports/store'
import { enqueueForIndexing } from '../search/search-queries'
import { closeCalls } from '../calls/call-queries'
import { freeSide, insertRun, openRun, runsBeside, type RunOrigin } from '../runs/run-queries'

type Trx = Transaction<Schema>

type NewRow = ChatKey & LineagePosition & Pick<MessageTable, 'id' | 'body' | 'kind' | 'stamp'>

const insertRow = preparedWrite((db, row: NewRow) =>
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

const moveChat = preparedWrite((db, { owner, conversationId, headId, title, titleSearch, grown }: MovedChat) =>
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
  here: RunOrigin,
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
