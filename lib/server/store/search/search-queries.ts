import { randomInt } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { FoundMessage } from '@/lib/shared/conversation/search/list-filter'
import { hasText } from '@/lib/shared/conversation/outline'
import {
  termsOf,
  type SearchTerm,
  searchTextOf,
  indexedAs,
  cutSnippet,
} from '@/lib/shared/conversation/search/search-words'
import { messageFromRow, textOr } from '../database/rows'
import type { Schema } from '../ports/schema'
import type { SearchStore } from '../ports/store'
import type { ChatKey } from '../database/lock-conversation'
import { preparedWrite } from '../database/database-time'

/*
 * The format of words in both databases' indexes. Each starts with a mark of its owner, so that a search reads only
 * that owner's words, however many others there are. The message's row confirms the owner, because two owners may have
 * the same mark.
 */

const MARK = 4

/** FNV-1a as four letters or digits. */
function ownerMark(owner: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(owner)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(36).padStart(MARK, '0').slice(-MARK)
}

/** In FTS5's query language. Words contain only letters and digits. */
const inFts = (mark: string, terms: readonly SearchTerm[]): string =>
  terms
    .map(indexedAs)
    .flatMap(({ whole, begins }) => [
      ...whole.map((word) => `"${mark}${word}"`),
      ...(begins === null ? [] : [`"${mark}${begins}"*`]),
    ])
    .join(' AND ')

/** As a `tsquery`. */
const inTsQuery = (mark: string, terms: readonly SearchTerm[]): string =>
  terms
    .map(indexedAs)
    .flatMap(({ whole, begins }) => [
      ...whole.map((word) => `'${mark}${word}'`),
      ...(begins === null ? [] : [`'${mark}${begins}':*`]),
    ])
    .join(' & ')

const matchOf = (kind: 'sqlite' | 'postgres', owner: string, terms: readonly SearchTerm[]): string =>
  (kind === 'sqlite' ? inFts : inTsQuery)(ownerMark(owner), terms)

/** A message with its words. */
interface IndexedWords {
  readonly messageId: string
  readonly doc: number
  readonly words: ReadonlySet<string>
}

/** Only for batches of some dozen messages, not for all messages of an owner. */
export async function insertWords(
  trx: Transaction<Schema>,
  kind: 'sqlite' | 'postgres',
  chat: { readonly owner: string; readonly conversation_id: string },
  messages: readonly IndexedWords[],
): Promise<void> {
  if (messages.length === 0) return
  const mark = ownerMark(chat.owner)
  const row = ({ messageId, doc }: IndexedWords) => ({ ...chat, message_id: messageId, doc })
  if (kind === 'postgres') {
    const vector = (words: ReadonlySet<string>) => [...words].map((word) => `'${mark}${word}'`).join(' ')
    await trx
      .insertInto('message_words')
      .values(messages.map((one) => ({ ...row(one), words: sql<string>`cast(${vector(one.words)} as tsvector)` })))
      .execute()
    return
  }
  // In order: a smaller number than the previous one makes FTS5 flush its data.
  for (const one of messages.toSorted((a, b) => a.doc - b.doc)) {
    const doc = await freeDoc(trx, one.doc)
    await trx
      .insertInto('message_words')
      .values({ ...row(one), doc })
      .execute()
    const words = [...one.words].map((word) => mark + word).join(' ')
    await sql`insert into message_index (rowid, words) values (${doc}, ${words})`.execute(trx)
  }
}

/**
 * The number itself, or one soon after it that no other message of any owner has, because the index has one row per
 * number. Drawn from a range that doubles: an import without times has thousands of messages of the same moment, and
 * one number after the other would try all of them for each.
 */
async function freeDoc(trx: Transaction<Schema>, wanted: number): Promise<number> {
  let doc = wanted
  for (let range = 2; ; range *= 2) {
    const { rows } = await sql`select rowid from message_index where rowid = ${doc}`.execute(trx)
    if (rows.length === 0) return doc
    doc = wanted + randomInt(1, range)
  }
}

const MOST_AT = 2 ** 41 - 1
const A_MILLISECOND = 4096

/** Increases with the time of writing, and within a millisecond with the position in the chat. */
export const docOf = (createdAt: number, seq: number): number =>
  Math.min(Math.max(0, Math.trunc(createdAt) || 0), MOST_AT) * A_MILLISECOND + (seq % A_MILLISECOND)

/** From this many unindexed messages on, the user is informed that results may be incomplete. */
const MANY_DUE = 50
/** The index finds messages that contain all pairs of characters; whether they are adjacent is checked in the text. */
const MOST_ROUNDS = 5

interface BrokenTextLocation {
  readonly doc: number
  readonly conversationId: string
  readonly messageId: string
}

const PLACE = /^(\d{1,16})\.([A-Za-z0-9_-]{1,100})\.([A-Za-z0-9_-]{1,100})$/

const placeOf = (text: string | undefined): BrokenTextLocation | null => {
  const [, doc, conversationId, messageId] = PLACE.exec(text ?? '') ?? []
  return doc === undefined || conversationId === undefined || messageId === undefined
    ? null
    : { doc: Number(doc), conversationId, messageId }
}

export function searchQueries(db: Kysely<Schema>, kind: 'sqlite' | 'postgres'): Pick<SearchStore, 'searchMessages'> {
  /**
   * The messages that the index finds: on SQLite through the index, newest first in its own order; on PostgreSQL
   * through the rows.
   */
  const named = (owner: string, terms: readonly SearchTerm[], after: BrokenTextLocation | null) => {
    const match = matchOf(kind, owner, terms)
    if (kind === 'postgres') {
      return db
        .selectFrom('message_words as w')
        .where('w.owner', '=', owner)
        .where(sql<boolean>`w.words @@ cast(${match} as tsquery)`)
    }
    // A cross join is read in this order, so nothing is sorted or read unnecessarily.
    const words = db
      .selectFrom(sql<{ rowid: number }>`message_index(${match})`.as('f'))
      .crossJoin('message_words as w')
      .where('w.owner', '=', owner)
      .whereRef('w.doc', '=', 'f.rowid')
      .orderBy('f.rowid', 'desc')
    return after ? words.where('f.rowid', '<=', after.doc) : words
  }

  /**
   * A page of the messages that the index finds, before anything else is read; `title` is null if the chat was deleted.
   */
  const page = (
    owner: string,
    terms: readonly SearchTerm[],
    limit: number,
    { after, project }: { readonly after: BrokenTextLocation | null; readonly project: string | undefined },
  ) => {
    let keys = named(owner, terms, after).select(['w.doc', 'w.conversation_id', 'w.message_id'])
    if (project !== undefined) {
      keys = keys.where('w.conversation_id', 'in', (eb) =>
        eb
          .selectFrom('conversations as p')
          .select('p.id')
          .where('p.owner', '=', owner)
          .where('p.project_id', '=', project),
      )
    }
    if (after) {
      const { doc, conversationId, messageId } = after
      keys = keys
        .where('w.doc', '<=', doc)
        .where((eb) =>
          eb.or([
            eb('w.doc', '<', doc),
            eb('w.conversation_id', '<', conversationId),
            eb.and([eb('w.conversation_id', '=', conversationId), eb('w.message_id', '<', messageId)]),
          ]),
        )
    }
    if (kind === 'postgres') {
      keys = keys.orderBy('w.doc', 'desc').orderBy('w.conversation_id', 'desc').orderBy('w.message_id', 'desc')
    }
    return db
      .selectFrom(keys.limit(limit).as('k'))
      .leftJoin('conversations as c', (join) =>
        join
          .on('c.owner', '=', owner)
          .onRef('c.id', '=', 'k.conversation_id')
          .on('c.deleted_at', 'is', null)
          .on('c.temporary_until', 'is', null),
      )
      .leftJoin('messages as m', (join) =>
        join
          .on('m.owner', '=', owner)
          .onRef('m.conversation_id', '=', 'k.conversation_id')
          .onRef('m.id', '=', 'k.message_id'),
      )
      .select(['k.doc', 'k.conversation_id', 'k.message_id', 'm.body', 'c.title', 'c.archived_at'])
      .orderBy('k.doc', 'desc')
      .orderBy('k.conversation_id', 'desc')
      .orderBy('k.message_id', 'desc')
      .execute()
  }

  const manyDue = async (owner: string): Promise<boolean> => {
    const due = await db
      .selectFrom('words_due')
      .select('message_id')
      .where('owner', '=', owner)
      .limit(MANY_DUE)
      .execute()
    return due.length === MANY_DUE
  }

  return {
    async searchMessages(owner, query, limit, after, project) {
      const terms = termsOf(query)
      const found: FoundMessage[] = []
      let place = placeOf(after)
      let isAll = terms.length === 0
      for (let round = 0; !isAll && found.length < limit && round < MOST_ROUNDS; round += 1) {
        const wanted = limit - found.length
        const rows = await page(owner, terms, wanted, { after: place, project })
        for (const { doc, conversation_id: conversationId, message_id: messageId, body, title, archived_at } of rows) {
          place = { doc, conversationId, messageId }
          if (title === null || body === null) continue
          const message = messageFromRow({ id: messageId, conversationId, body, before: null })
          const snippet = cutSnippet(searchTextOf(message), terms)
          if (!snippet) continue
          found.push({
            conversationId,
            title: textOr(title, ''),
            messageId,
            by: message.role === 'assistant' ? 'model' : hasText(message) ? 'you' : 'tools',
            at: message.createdAt,
            ...(archived_at !== null && { archived: true }),
            snippet,
          })
        }
        isAll = rows.length < wanted
      }
      const next = isAll || !place ? null : `${place.doc}.${place.conversationId}.${place.messageId}`
      return { found, next, ...((await manyDue(owner)) && { filling: true }) }
    },
  }
}

/**
 * Marks messages for indexing in the transaction that writes them. They are indexed later in batches
 * (`index-queries.ts`), so that the sender does not wait and a crash loses none.
 */
export const enqueueForIndexing = (
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  messageId: string,
): Promise<unknown> => noteDue(trx, { owner, conversationId, messageId })

const noteDue = preparedWrite(
  (_, { owner, conversationId, messageId }: ChatKey & { readonly messageId: string }) =>
    sql`insert into words_due (owner, conversation_id, message_id)
      values (${owner}, ${conversationId}, ${messageId}) on conflict do nothing`,
)

/** The same for all messages of a chat. */
export const enqueueAllForIndexing = (
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
): Promise<unknown> =>
  trx
    .insertInto('words_due')
    .columns(['owner', 'conversation_id', 'message_id'])
    .expression((eb) =>
      eb
        .selectFrom('messages')
        .select(['owner', 'conversation_id', sql.ref<string>('id').as('message_id')])
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Called before a chat changes its owner, because its words carry the owner's mark. */
export async function refreshSearchQueue(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
): Promise<void> {
  await trx
    .deleteFrom('message_words')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .execute()
  await enqueueAllForIndexing(trx, owner, conversationId)
}
