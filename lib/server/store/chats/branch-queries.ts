import type { Kysely, Transaction } from 'kysely'
import type { Message } from '@/lib/shared/conversation/conversation'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { loadAll, readChat, type SiblingConversation } from './conversation-queries'
import { NAMED, ofMessages, type ChatKey } from '../database/lock-conversation'
import { lineQuery, NO_PARENT, openEndsOf, type LineRow } from './message-lines'
import { prepared } from '../database/database-time'
import { amendmentFromRow, callFromRow, messageFromRow, type DecodeSettings } from '../database/rows'
import type { Schema } from '../ports/schema'
import type { BranchPart, StoredBranch, StoredConversation } from '../ports/conversation-store'
import type { Store } from '../ports/store'

/*
 * A cache of decoded message rows. A row is written at most twice, when it begins and when its reply has ended, and
 * each write has its own stamp. A cached entry is valid for its stamp, no matter who wrote the row; a row that is
 * rewritten, even in a chat with the same id, has another stamp. The least recently used entries are dropped first.
 */

/** Identifies one write of one row. */
interface MessageKey {
  readonly owner: string
  readonly conversationId: string
  readonly id: string
  readonly stamp: string
}

interface MessageCache {
  get(key: MessageKey): Message | undefined
  /** `chars`: the length of the row. */
  keep(key: MessageKey, message: Message, chars: number): void
  /** An estimate, rather too high. */
  readonly bytes: number
}

/** A chat of 5,000 messages of 4 kB, and room for more. */
const MAX_BYTES = 64_000_000
/** The overhead of a message in addition to its text. */
const OVERHEAD = 1_000

export function createMessageCache(maxBytes = MAX_BYTES): MessageCache {
  /** Oldest first. */
  const kept = new Map<string, { readonly message: Message; readonly bytes: number }>()
  let bytes = 0
  const nameOf = ({ owner, conversationId, id, stamp }: MessageKey) =>
    JSON.stringify([owner, conversationId, id, stamp])

  return {
    get bytes() {
      return bytes
    },

    get(key) {
      const name = nameOf(key)
      const found = kept.get(name)
      if (!found) return undefined
      kept.delete(name)
      kept.set(name, found)
      return found.message
    },

    keep(key, message, chars) {
      const name = nameOf(key)
      const size = OVERHEAD + 2 * (name.length + chars)
      // It would evict all others.
      if (size > maxBytes / 4) return
      const before = kept.get(name)
      kept.delete(name)
      kept.set(name, { message, bytes: size })
      bytes += size - (before?.bytes ?? 0)
      for (const [oldest, one] of kept) {
        if (bytes <= maxBytes) return
        kept.delete(oldest)
        bytes -= one.bytes
      }
    },
  }
}

type Trx = Transaction<Schema>

/** More than the messages of any chat. */
const NO_LIMIT = 1_000_000_000

/**
 * Loads one branch of a conversation, or its end, with the rows of those messages; the cost depends only on the result.
 */
export function branchQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
  cache: MessageCache = createMessageCache(),
): Pick<Store, 'loadBranch'> {
  return {
    loadBranch: (owner, conversationId, part) =>
      readChat(
        db,
        { owner, conversationId },
        decodeSettings,
        async (trx, beside) => (await endOfLine(trx, beside, part, cache)) ?? cutOut(await loadAll(trx, beside), part),
      ),
  }
}

/** Null if the lineage columns are unusable: rows are damaged, or were written without them. */
async function endOfLine(
  trx: Trx,
  { owner, stored, writing }: SiblingConversation,
  part: BranchPart,
  cache: MessageCache,
): Promise<StoredBranch | null> {
  const { id } = stored.conversation
  const chat = { owner, conversationId: id }
  const head = await endOf(trx, owner, stored.conversation, part)
  if (head === undefined) return null
  const { rows } =
    head === null
      ? { rows: [] }
      : await lineQuery(chat, head, { limit: part.limit ?? NO_LIMIT, chars: part.chars ?? null }).execute(trx)
  const first = rows.at(-1)
  const answers = part.answers === true && (head === null || first) ? await answersTo(trx, chat, head, writing) : []
  if (answers === null) return null
  if (!first || head === null) {
    return { ...stored, messages: [], calls: [], amendments: [], older: 0, openEnds: 0, answers }
  }
  const isCut = rows.length === part.limit || (part.chars !== undefined && first.size >= part.chars)
  const openEnds = rows.at(0)?.open_ends ?? null
  if (openEnds === null || first.depth === null || !(await isComplete(trx, chat, first, isCut))) return null
  const messages = await messagesOf(trx, chat, rows, writing, cache)
  if (!messages) return null
  const ids = rows.map((row) => row.id)
  const calls = await ofMessages(trx, 'calls', chat, part.callsOf === 'head' ? [head] : ids)
  const amendments = await ofMessages(trx, 'amendments', chat, ids)
  return {
    ...stored,
    messages,
    calls: calls.map(callFromRow),
    amendments: amendments.map(amendmentFromRow),
    older: first.depth - 1,
    openEnds,
    answers,
  }
}

/** The last message of the branch; undefined if the columns don't say. */
async function endOf(
  trx: Trx,
  owner: string,
  { id, headId }: StoredConversation['conversation'],
  { head = headId, before }: BranchPart,
): Promise<string | null | undefined> {
  if (before === undefined) return head
  const row = await trx
    .selectFrom('messages')
    .select(['parent_id', 'seq'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', id)
    .where('id', '=', before)
    .executeTakeFirst()
  if (!row || row.parent_id === NO_PARENT) return null
  return (await isThere(trx, { owner, conversationId: id }, row)) ? row.parent_id : undefined
}

/** The branch begins with its first message, or the part that was left out exists. */
const isComplete = async (trx: Trx, chat: ChatKey, first: LineRow, isCut: boolean): Promise<boolean> =>
  first.parent_id === NO_PARENT || (isCut && (await isThere(trx, chat, first)))

/** Whether the parent of a message exists, by its row. */
const isThere = async (
  trx: Trx,
  { owner, conversationId }: ChatKey,
  { parent_id, seq }: Pick<LineRow, 'parent_id' | 'seq'>,
): Promise<boolean> =>
  parent_id !== null &&
  (await trx
    .selectFrom('messages')
    .select('id')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', parent_id)
    .where('seq', '<', seq)
    .executeTakeFirst()) !== undefined

/** Two queries, sorted afterwards: with an `or` or an `order by`, SQLite would read the whole chat. */
const answersOf = prepared((db, { owner, conversationId, parentId }: ChatKey & { readonly parentId: string }) => {
  const ofChat = db
    .selectFrom('messages')
    .select(['id', 'body', 'parent_id', 'seq'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
  return ofChat.where('parent_id', '=', parentId).unionAll(ofChat.where('parent_id', 'is', null))
})

/** Null if the parent of any message is unknown. */
async function answersTo(
  trx: Trx,
  chat: ChatKey,
  headId: string | null,
  writing: ReadonlySet<string>,
): Promise<readonly Message[] | null> {
  const found = await answersOf(trx, { ...chat, parentId: headId ?? NO_PARENT })
  const rows = found.rows.toSorted((one, other) => one.seq - other.seq)
  const messages = rows.map((row) => asStored(chat.conversationId, row, row.body, writing))
  return messages.every((message) => message !== null) ? messages : null
}

/** Null if it can't be read: its placeholder depends on the messages around it. */
export function asStored(
  conversationId: string,
  { id, parent_id }: Pick<LineRow, 'id' | 'parent_id'>,
  body: string | undefined,
  writing: ReadonlySet<string>,
): Message | null {
  const message = messageFromRow({ id, conversationId, body, before: null })
  if (message.unreadable === 'whole' || (message.parentId ?? NO_PARENT) !== parent_id) return null
  if (message.role === 'assistant' && message.outcome === null && !writing.has(id)) return null
  return message
}

/** In branch order; null if one can't be read by itself. */
async function messagesOf(
  trx: Trx,
  chat: ChatKey,
  rows: readonly LineRow[],
  writing: ReadonlySet<string>,
  cache: MessageCache,
): Promise<readonly Message[] | null> {
  const known = new Map<string, Message>()
  for (const { id, stamp } of rows) {
    const message = stamp === null ? undefined : cache.get({ ...chat, id, stamp })
    if (message) known.set(id, message)
  }
  const unknown = rows.filter(({ id }) => !known.has(id))
  const bodies = await bodiesOf(trx, chat, unknown)
  for (const row of unknown) {
    const { id, stamp } = row
    const body = bodies.get(id)
    const message = asStored(chat.conversationId, row, body, writing)
    if (!message) return null
    known.set(id, message)
    if (stamp !== null && body !== undefined) cache.keep({ ...chat, id, stamp }, message, body.length)
  }
  return rows.toReversed().flatMap(({ id }) => known.get(id) ?? [])
}

export async function bodiesOf(
  trx: Trx,
  { owner, conversationId }: ChatKey,
  rows: readonly Pick<LineRow, 'id' | 'seq'>[],
): Promise<ReadonlyMap<string, string>> {
  const bodies = new Map<string, string>()
  const [last, first] = [rows.at(0), rows.at(-1)]
  if (!last || !first) return bodies
  const all = trx
    .selectFrom('messages')
    .select(['id', 'body'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
  // Without forks, the branch is every row between its ends.
  const isDense = rows.length * 2 > last.seq - first.seq + 1
  const parts = isDense
    ? [all.where('seq', '>=', first.seq).where('seq', '<=', last.seq)]
    : inPieces(rows.map(({ id }) => id)).map((ids) => all.where('id', 'in', ids))
  for (const part of parts) for (const { id, body } of await part.execute()) bodies.set(id, body)
  return bodies
}

const inPieces = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / NAMED) }, (_, at) => ids.slice(at * NAMED, (at + 1) * NAMED))

/** Cuts the same part out of a conversation that was loaded completely. */
function cutOut(
  all: StoredConversation,
  { head = all.conversation.headId, before, ...part }: BranchPart,
): StoredBranch {
  const tree = treeOf(all.messages)
  const end = before === undefined ? head : (tree.get(before)?.parentId ?? null)
  const line = treePathTo(tree, end)
  const messages = line.slice(line.length - countOf(line, part))
  const ids = new Set(messages.map(({ id }) => id))
  const isOurs = ({ messageId }: { readonly messageId: string }) => ids.has(messageId)
  return {
    ...all,
    messages,
    calls: all.calls.filter((call) => (part.callsOf === 'head' ? call.messageId === end : isOurs(call))),
    amendments: all.amendments.filter(isOurs),
    older: line.length - messages.length,
    openEnds: line.reduce((sum, message) => sum + openEndsOf(message), 0),
    answers: part.answers === true ? all.messages.filter(({ parentId }) => parentId === end) : [],
  }
}

/** How many messages at the end of the branch are included. */
function countOf(
  line: readonly Message[],
  { limit = NO_LIMIT, chars = Infinity }: Pick<BranchPart, 'limit' | 'chars'>,
) {
  let size = 0
  const fits = line.toReversed().findIndex((message, at) => {
    const isOver = at > 0 && (at >= limit || size >= chars)
    size += JSON.stringify(message).length
    return isOver
  })
  return fits < 0 ? line.length : fits
}
