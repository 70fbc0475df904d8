import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { makeError } from '@/lib/i18n/t'
import type { Message, UserMessage } from '@/lib/shared/conversation/conversation'
import {
  withContent,
  withoutContent,
  withoutResults,
  withResults,
  type TakenResults,
} from '@/lib/shared/conversation/deleted-message'
import { newestLeafOfTree, treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { kindOf, type MessageKind } from '@/lib/shared/conversation/outline'
import { deletionLine } from '@/lib/shared/conversation/wire/log-lines'
import { growConversation, moreBytes } from '../database/conversation-bytes'
import { requireConversation, type ChatKey } from '../database/lock-conversation'
import { decodeStored, encodeStored, messageFormat, type StoredFormat } from '../database/row-formats'
import { messageFromRow } from '../database/rows'
import { writeLog } from '../calls/log-queries'
import { enqueueForIndexing } from '../search/search-queries'
import type { ChangedMessages, ConversationStore } from '../ports/conversation-store'
import type { AmendmentTable, CallTable, ImageTable, Schema } from '../ports/schema'
import { newStamp, NO_PARENT, openEndsOf } from './message-lines'

type Trx = Transaction<Schema>
type Own<Row> = Omit<Row, 'owner' | 'conversation_id'>

/** The content of a deleted message. Rows are kept unchanged, whether or not they can be read. */
interface DeletedContent {
  readonly body: string
  readonly runnableCalls: number
  readonly calls: readonly Own<Insertable<CallTable>>[]
  readonly amendments: readonly Own<Insertable<AmendmentTable>>[]
  readonly images: readonly Own<Insertable<ImageTable>>[]
  /** By the message that contained them. */
  readonly results: readonly (TakenResults & { readonly messageId: string })[]
  /** The head of the chat before and after, if it changed. */
  readonly head?: { readonly before: string; readonly after: string }
}

const rows = <Row>() => z.array(z.custom<Row>((value) => typeof value === 'object' && value !== null))

const deletedFormat: StoredFormat<DeletedContent> = {
  version: 1,
  schema: z.object({
    body: z.string(),
    runnableCalls: z.number(),
    calls: rows<Own<Insertable<CallTable>>>(),
    amendments: rows<Own<Insertable<AmendmentTable>>>(),
    images: rows<Own<Insertable<ImageTable>>>(),
    results: rows<TakenResults & { readonly messageId: string }>(),
    head: z.object({ before: z.string(), after: z.string() }).exactOptional(),
  }),
}

const contentTables = ['calls', 'amendments', 'images'] as const
type ContentTable = (typeof contentTables)[number]

/** The columns of those tables that count as storage; see `testing/stored-columns.ts`. */
const countedColumns = {
  calls: ['body', 'outcome', 'stopped', 'release', 'inner_calls'],
  amendments: ['call'],
  images: ['data'],
} as const

/** Deletes the content of messages; for a while it can be restored. */
export function deletionQueries(
  db: Kysely<Schema>,
): Pick<ConversationStore, 'deleteMessages' | 'restoreMessages' | 'purgeDeletedMessages'> {
  return {
    deleteMessages: (owner, conversationId, messageIds, now) =>
      eachOf(db, { owner, conversationId }, messageIds, (trx, one) => deleteOne(trx, one, now)),
    restoreMessages: (owner, conversationId, messageIds, now) =>
      eachOf(db, { owner, conversationId }, messageIds, (trx, one) => restoreOne(trx, one, now)),

    async purgeDeletedMessages(before, atMost) {
      const due = await db
        .selectFrom('messages')
        .select(['owner', 'conversation_id', 'id'])
        .where('deleted_at', '<', before)
        .limit(atMost)
        .execute()
      for (const { owner, conversation_id: conversationId, id } of due) {
        await db.transaction().execute(async (trx) => {
          await trx
            .updateTable('conversations')
            .set((eb) => ({ updated_at: eb.ref('updated_at') }))
            .where('owner', '=', owner)
            .where('id', '=', conversationId)
            .execute()
          const row = await findMessage(trx, { owner, conversationId }, id)
          if (!row?.deleted) return
          await setDeleted(trx, { owner, conversationId }, id, { deleted: null, deleted_at: null })
          await growConversation(trx, owner, conversationId, moreBytes([], [row.deleted]))
        })
      }
      return due.length
    },
  }
}

interface OneMessage {
  readonly chat: ChatKey
  readonly messageId: string
  /** The head of the chat. */
  readonly headId: string | null
}

/** Runs for all of them or none. */
const eachOf = (
  db: Kysely<Schema>,
  chat: ChatKey,
  messageIds: readonly string[],
  change: (trx: Trx, one: OneMessage) => Promise<ChangedMessages>,
): Promise<ChangedMessages> =>
  db.transaction().execute(async (trx) => {
    let { head_id: headId } = await requireConversation(trx, chat.owner, chat.conversationId)
    const ids = new Set<string>()
    for (const messageId of messageIds) {
      const changed = await change(trx, { chat, messageId, headId })
      headId = changed.headId
      for (const id of changed.ids) ids.add(id)
    }
    return { ids: [...ids], headId }
  })

async function deleteOne(trx: Trx, { chat, messageId, headId }: OneMessage, now: number): Promise<ChangedMessages> {
  const { owner, conversationId } = chat
  const row = await messageRow(trx, chat, messageId)
  const message = messageFromRow({ id: messageId, conversationId, body: row.body, before: null })
  if (message.deleted) return { ids: [messageId], headId }
  const running = await runningReplies(trx, chat)
  if (running.has(messageId) || (message.role === 'assistant' && message.outcome === null)) {
    throw makeError('run-in-progress', 'chat.delete-writing')
  }
  const results = message.role === 'assistant' ? await takeResults(trx, chat, message, row.seq) : []
  const moved = running.size === 0 ? await headAfter(trx, chat, headId, messageId) : headId
  const content: DeletedContent = {
    body: row.body,
    runnableCalls: row.runnable_calls,
    calls: await takeRows(trx, chat, 'calls', messageId),
    amendments: await takeRows(trx, chat, 'amendments', messageId),
    images: await takeRows(trx, chat, 'images', messageId),
    results,
    ...(headId !== null && moved !== null && moved !== headId && { head: { before: headId, after: moved } }),
  }
  const kept = encodeStored(content, deletedFormat)
  await writeMessage(trx, chat, withoutContent(message), { before: row.body, runnableCalls: 0 })
  await setDeleted(trx, chat, messageId, { deleted: kept, deleted_at: now })
  await growConversation(trx, owner, conversationId, moreBytes([kept], textsOf(content)))
  if (moved !== headId) await setHead(trx, chat, moved)
  await writeLog(trx, owner, conversationId, deletionLine('message-deleted', messageId), now)
  return { ids: [messageId, ...results.map((one) => one.messageId)], headId: moved }
}

async function restoreOne(trx: Trx, { chat, messageId, headId }: OneMessage, now: number): Promise<ChangedMessages> {
  const { owner, conversationId } = chat
  const row = await messageRow(trx, chat, messageId)
  const message = messageFromRow({ id: messageId, conversationId, body: row.body, before: null })
  if (!message.deleted) return { ids: [messageId], headId }
  const content = decodeStored(row.deleted, deletedFormat)
  if (!content) throw makeError('not-found', 'chat.delete-final')
  const stored = messageFromRow({ id: messageId, conversationId, body: content.body, before: null })
  await writeMessage(trx, chat, withContent(message, stored), {
    before: row.body,
    runnableCalls: content.runnableCalls,
    ...(stored.unreadable === 'whole' && { body: content.body }),
  })
  for (const table of contentTables) await putRows(trx, chat, table, content[table])
  await setDeleted(trx, chat, messageId, { deleted: null, deleted_at: null })
  await growConversation(trx, owner, conversationId, moreBytes(textsOf(content), [row.deleted]))
  const ids = await putResults(trx, chat, content.results)
  const isBack = content.head?.after === headId && (await runningReplies(trx, chat)).size === 0
  const back = isBack ? (content.head?.before ?? headId) : headId
  if (back !== headId) await setHead(trx, chat, back)
  await writeLog(trx, owner, conversationId, deletionLine('message-restored', messageId), now)
  return { ids: [messageId, ...ids], headId: back }
}

const findMessage = (trx: Trx, { owner, conversationId }: ChatKey, id: string) =>
  trx
    .selectFrom('messages')
    .select(['id', 'seq', 'body', 'runnable_calls', 'deleted'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id)
    .executeTakeFirst()

async function messageRow(trx: Trx, chat: ChatKey, id: string) {
  const row = await findMessage(trx, chat, id)
  if (!row) throw makeError('not-found', 'chat.no-message')
  return row
}

/** The running replies of the chat. */
async function runningReplies(trx: Trx, { owner, conversationId }: ChatKey): Promise<ReadonlySet<string>> {
  const runs = await trx
    .selectFrom('runs')
    .select('message_id')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('status', '=', 'running')
    .execute()
  return new Set(runs.map((run) => run.message_id))
}

/** Rewrites an existing message with a new stamp, so that no cache keeps the old version. */
async function writeMessage(
  trx: Trx,
  { owner, conversationId }: ChatKey,
  message: Message,
  {
    before,
    runnableCalls,
    body = encodeStored(message, messageFormat),
  }: { readonly before: string; readonly runnableCalls?: number; readonly body?: string },
): Promise<void> {
  await trx
    .updateTable('messages')
    .set({
      body,
      kind: kindOf(message),
      stamp: newStamp(),
      ...(runnableCalls !== undefined && { runnable_calls: runnableCalls }),
    })
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', message.id)
    .execute()
  await growConversation(trx, owner, conversationId, moreBytes([body], [before]))
  await enqueueForIndexing(trx, owner, conversationId, message.id)
}

const setDeleted = (
  trx: Trx,
  { owner, conversationId }: ChatKey,
  id: string,
  now: { readonly deleted: string | null; readonly deleted_at: number | null },
) =>
  trx
    .updateTable('messages')
    .set(now)
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id)
    .execute()

const setHead = (trx: Trx, { owner, conversationId }: ChatKey, headId: string | null) =>
  trx
    .updateTable('conversations')
    .set({ head_id: headId })
    .where('owner', '=', owner)
    .where('id', '=', conversationId)
    .execute()

/** The counted texts of the rows that belong to a message. */
const textsOf = (content: DeletedContent): readonly (string | null)[] =>
  contentTables.flatMap((table) =>
    content[table].flatMap((row) =>
      countedColumns[table].map((column) => textOrNull((row as Readonly<Record<string, unknown>>)[column])),
    ),
  )

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Returns and deletes the rows of a message. */
async function takeRows<Table extends ContentTable>(
  trx: Trx,
  { owner, conversationId }: ChatKey,
  table: Table,
  messageId: string,
): Promise<readonly Own<Insertable<Schema[Table]>>[]> {
  const found = await trx
    .deleteFrom<ContentTable>(table)
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .returningAll()
    .execute()
  return found.map((row) => {
    const { owner: _owner, conversation_id: _conversationId, ...own } = row
    return own as unknown as Own<Insertable<Schema[Table]>>
  })
}

async function putRows(
  trx: Trx,
  { owner, conversationId }: ChatKey,
  table: ContentTable,
  found: DeletedContent[ContentTable],
): Promise<void> {
  for (const row of found) {
    await trx
      .insertInto<ContentTable>(table)
      .values({ owner, conversation_id: conversationId, ...row })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Removes the results of a reply from later messages. */
async function takeResults(trx: Trx, chat: ChatKey, reply: Message, seq: number): Promise<DeletedContent['results']> {
  const later = await trx
    .selectFrom('messages')
    .select(['id', 'body'])
    .where('owner', '=', chat.owner)
    .where('conversation_id', '=', chat.conversationId)
    .where('seq', '>', seq)
    // We generated its id: letters, digits and hyphens.
    .where('body', 'like', `%"messageId":"${reply.id}"%`)
    .execute()
  const taken: (TakenResults & { messageId: string })[] = []
  for (const { id, body } of later) {
    const message = messageFromRow({ id, conversationId: chat.conversationId, body, before: null })
    const without = message.role === 'user' ? withoutResults(message, reply.id) : null
    if (!without) continue
    await writeResults(trx, chat, { before: message as UserMessage, body, after: without.message })
    taken.push({ messageId: id, ...without.taken })
  }
  return taken
}

/** Returns the changed messages. */
async function putResults(trx: Trx, chat: ChatKey, taken: DeletedContent['results']): Promise<readonly string[]> {
  for (const { messageId, ...results } of taken) {
    const row = await findMessage(trx, chat, messageId)
    if (!row) continue
    const message = messageFromRow({ id: messageId, conversationId: chat.conversationId, body: row.body, before: null })
    if (message.role !== 'user') continue
    await writeResults(trx, chat, { before: message, body: row.body, after: withResults(message, results) })
  }
  return taken.map(({ messageId }) => messageId)
}

interface ResultsChange {
  readonly before: UserMessage
  readonly body: string
  readonly after: UserMessage
}

async function writeResults(trx: Trx, chat: ChatKey, { before, body, after }: ResultsChange): Promise<void> {
  await writeMessage(trx, chat, after, { before: body })
  const more = openEndsOf(after) - openEndsOf(before)
  if (more !== 0) await moveOpenEnds(trx, chat, before.id, more)
}

/** Each message counts the open ends of its branch. */
const moveOpenEnds = (trx: Trx, { owner, conversationId }: ChatKey, id: string, more: number) =>
  sql`
    with recursive below as (
      select id from messages where owner = ${owner} and conversation_id = ${conversationId} and id = ${id}
      union
      select m.id from below join messages m
        on m.owner = ${owner} and m.conversation_id = ${conversationId} and m.parent_id = below.id
    )
    update messages set open_ends = open_ends + ${more}
    where owner = ${owner} and conversation_id = ${conversationId} and id in (select id from below)`.execute(trx)

/** The head of the chat after a deletion: another version of the message, if no remaining message follows it. */
async function headAfter(
  trx: Trx,
  { owner, conversationId }: ChatKey,
  headId: string | null,
  messageId: string,
): Promise<string | null> {
  const found = await trx
    .selectFrom('messages')
    .select(['id', 'parent_id', 'kind'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .orderBy('seq')
    .execute()
  // A row without a parent was written by an older server.
  if (found.some(({ parent_id, kind }) => parent_id === null || kind === null)) return headId
  const tree = treeOf(
    found.map(({ id, parent_id, kind }) => ({ id, parentId: parent_id === NO_PARENT ? null : parent_id, kind })),
  )
  if (treePathTo(tree, headId).every(({ id }) => id !== messageId)) return headId
  const alive = new Set<string>()
  for (const { id, kind } of found) {
    if (id !== messageId && isDistinctive(kind)) for (const row of treePathTo(tree, id)) alive.add(row.id)
  }
  if (alive.has(messageId)) return headId
  const parentId = tree.get(messageId)?.parentId ?? null
  const siblings = found.map(({ id }) => tree.get(id)).filter((row) => row?.parentId === parentId)
  const at = siblings.findIndex((row) => row?.id === messageId)
  const isAlive = (row: (typeof siblings)[number]) => row !== undefined && alive.has(row.id)
  const next = siblings.slice(0, at).findLast(isAlive) ?? siblings.slice(at + 1).find(isAlive)
  return next ? newestLeafOfTree(tree, next.id) : headId
}

const isDistinctive = (kind: MessageKind | null): boolean => kind === 'a' || kind === 'u'
