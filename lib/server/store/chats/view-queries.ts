import { sql, type Kysely, type Transaction } from 'kysely'
import type { MessagesPage, OtherCalls } from '@/lib/shared/conversation/wire/api-types'
import type { Message } from '@/lib/shared/conversation/conversation'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { kindOf, outlineOf, type OutlineRow } from '@/lib/shared/conversation/outline'
import { asStored, bodiesOf } from './branch-queries'
import { loadAll, readChat, type SiblingConversation } from './conversation-queries'
import { NO_PARENT } from './message-lines'
import { ofMessages, type ChatKey } from '../database/lock-conversation'
import { amendmentFromRow, callFromRow, type DecodeSettings } from '../database/rows'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'
import { type StoredConversation, endOfBranch, pageOf } from '../ports/conversation-store'

type Trx = Transaction<Schema>

/** What a page shows of a long conversation: the outline of all messages, and the visible ones in full. */
export function viewQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
): Pick<Store, 'loadView' | 'loadMessages'> {
  const read = <T>(
    owner: string,
    conversationId: string,
    work: (trx: Trx, beside: SiblingConversation) => Promise<T>,
  ) => readChat(db, { owner, conversationId }, decodeSettings, work)

  return {
    loadView: (owner, id, size) =>
      read(owner, id, async (trx, beside) => {
        const chat = await chatOf(trx, beside)
        const ids = endOfBranch(chat.rows, beside.stored.conversation.headId, size, await callBytes(trx, keyOf(beside)))
        const page = await chat.page(ids)
        return {
          ...beside.stored,
          ...page,
          outline: outlineOf(chat.rows),
          others: await othersOf(trx, keyOf(beside), page),
        }
      }),

    loadMessages: (owner, id, ids, size) =>
      read(owner, id, async (trx, beside) => {
        const sizes = await sizesOf(trx, keyOf(beside), ids)
        const calls = await callBytes(trx, keyOf(beside))
        const known = ids.filter((one) => sizes.has(one))
        const given = pageOf(known, size, (one) => (sizes.get(one) ?? 0) + (calls.get(one) ?? 0))
        const page = (await pageFrom(trx, beside, given)) ?? pageIn(await loadAll(trx, beside), given)
        return { ...page, grants: beside.stored.grants }
      }),
  }
}

const keyOf = ({ owner, stored }: SiblingConversation): ChatKey => ({ owner, conversationId: stored.conversation.id })

type Page = Omit<MessagesPage, 'grants'>

interface ShownChat {
  readonly rows: readonly OutlineRow[]
  readonly page: (ids: readonly string[]) => Promise<Page>
}

/** A chat from its columns; if rows are damaged or were written without the columns, it is loaded completely. */
async function chatOf(trx: Trx, beside: SiblingConversation): Promise<ShownChat> {
  const { owner, conversationId } = keyOf(beside)
  const found = await trx
    .selectFrom('messages')
    .select(['id', 'parent_id', 'kind', bytes('body').as('size')])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .orderBy('seq')
    .execute()
  const whole = async (): Promise<ShownChat> => {
    const all = await loadAll(trx, beside)
    const sizes = new Map(found.map((row) => [row.id, row.size]))
    const rows = all.messages.map((row) => ({ ...row, kind: kindOf(row), size: sizes.get(row.id) ?? 0 }))
    return { rows, page: (ids) => Promise.resolve(pageIn(all, ids)) }
  }
  const rows = found.flatMap(({ id: one, parent_id, kind, size }): readonly OutlineRow[] =>
    parent_id === null || kind === null
      ? []
      : [{ id: one, parentId: parent_id === NO_PARENT ? null : parent_id, kind, size }],
  )
  const seen = new Set<string>()
  const isSound = rows.every((row) => {
    seen.add(row.id)
    return row.parentId === null || (row.parentId !== row.id && seen.has(row.parentId))
  })
  if (rows.length < found.length || !isSound) return whole()
  return { rows, page: async (ids) => (await pageFrom(trx, beside, ids)) ?? (await whole()).page(ids) }
}

/** Null if one of them can't be read: its placeholder depends on the messages around it. */
async function pageFrom(trx: Trx, beside: SiblingConversation, ids: readonly string[]): Promise<Page | null> {
  const key = keyOf(beside)
  const rows = await linesOf(trx, key, ids)
  const bodies = await bodiesOf(trx, key, rows)
  const read = (row: (typeof rows)[number]) => asStored(key.conversationId, row, bodies.get(row.id), beside.writing)
  const found = new Map(rows.map((row) => [row.id, read(row)]))
  const messages = ids.flatMap((one) => found.get(one) ?? [])
  if (messages.length < ids.length) return null
  const calls = await ofMessages(trx, 'calls', key, ids)
  const amendments = await ofMessages(trx, 'amendments', key, ids)
  return { messages, calls: calls.map(callFromRow), amendments: amendments.map(amendmentFromRow) }
}

/** The same for a chat that was loaded completely. */
function pageIn({ messages, calls, amendments }: StoredConversation, ids: readonly string[]): Page {
  const rows = new Map(messages.map((row): readonly [string, Message] => [row.id, row]))
  const wanted = new Set(ids)
  return {
    messages: ids.flatMap((id) => rows.get(id) ?? []),
    calls: calls.filter(({ messageId }) => wanted.has(messageId)),
    amendments: amendments.filter(({ messageId }) => wanted.has(messageId)),
  }
}

const linesOf = async (trx: Trx, key: ChatKey, ids: readonly string[]) => {
  const rows = ids.length === 0 ? [] : await messagesOf(trx, key, ids).select(['id', 'parent_id', 'seq']).execute()
  return rows.toSorted((a, b) => b.seq - a.seq)
}

async function sizesOf(trx: Trx, key: ChatKey, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await messagesOf(trx, key, ids)
    .select(['id', bytes('body').as('size')])
    .execute()
  return new Map(rows.map((row) => [row.id, row.size]))
}

const messagesOf = (trx: Trx, { owner, conversationId }: ChatKey, ids: readonly string[]) =>
  trx
    .selectFrom('messages')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', 'in', ids)

/** Neither database reads the text for this. */
const bytes = (column: string) => sql<number>`octet_length(${sql.ref(column)})`

async function callBytes(trx: Trx, { owner, conversationId }: ChatKey): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom('calls')
    .select(['message_id', sql<number>`${bytes('body')} + coalesce(${bytes('outcome')}, 0)`.as('size')])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .execute()
  const sums = new Map<string, number>()
  for (const { message_id, size } of rows) sums.set(message_id, (sums.get(message_id) ?? 0) + size)
  return sums
}

/** What the page needs to know about calls that are not included; those that may have failed are read. */
async function othersOf(trx: Trx, { owner, conversationId }: ChatKey, { messages }: Page): Promise<OtherCalls> {
  const given = new Set(messages.map((row) => row.id))
  const calls = trx.selectFrom('calls').where('owner', '=', owner).where('conversation_id', '=', conversationId)
  const ran = await calls.select('slot').where('decision', '=', 'run').limit(1).executeTakeFirst()
  const suspects = await calls
    .selectAll()
    .where('outcome', 'like', '%"status":"error"%')
    .orderBy('message_id')
    .execute()
  const failed = suspects.map(callFromRow).filter((row) => !given.has(row.messageId) && hasFailed(row))
  return { ran: ran !== undefined, failed: failed.map(({ messageId, name }) => ({ messageId, name })) }
}

const hasFailed = ({ outcome }: CallRecord): boolean => outcome?.status === 'error'
