import { sql, type Kysely } from 'kysely'
import { cutSnippet } from '@/lib/shared/conversation/search/cut-snippet'
import type { FoundMessage } from '@/lib/shared/conversation/search/found-message'
import { hasText } from '@/lib/shared/conversation/outline'
import { termsOf, type SearchTerm, searchTextOf } from '@/lib/shared/conversation/search/search-words'
import { messageFromRow, textOr } from '../database/rows'
import type { Schema } from '../ports/schema'
import type { SearchStore } from '../ports/search'
import { matchOf } from './search-index'

/** So many of an owner's messages are to be read before somebody is told that not all are found yet. */
const MANY_DUE = 50
/** The index names messages that hold all pairs of characters; that they follow each other, a look at the words tells. */
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
  /** What the index names: SQLite's by the index, newest first as it stands there; PostgreSQL's by the rows. */
  const named = (owner: string, terms: readonly SearchTerm[], after: BrokenTextLocation | null) => {
    const match = matchOf(kind, owner, terms)
    if (kind === 'postgres') {
      return db
        .selectFrom('message_words as w')
        .where('w.owner', '=', owner)
        .where(sql<boolean>`w.words @@ cast(${match} as tsquery)`)
    }
    // A cross join is read in this order: then nothing is sorted, and what is not asked for is not looked at.
    const words = db
      .selectFrom(sql<{ rowid: number }>`message_index(${match})`.as('f'))
      .crossJoin('message_words as w')
      .where('w.owner', '=', owner)
      .whereRef('w.doc', '=', 'f.rowid')
      .orderBy('f.rowid', 'desc')
    return after ? words.where('f.rowid', '<=', after.doc) : words
  }

  /** As many as the index names of a page, before anything else is read; `title` is null where its chat was deleted. */
  const page = (owner: string, terms: readonly SearchTerm[], limit: number, after: BrokenTextLocation | null) => {
    let keys = named(owner, terms, after).select(['w.doc', 'w.conversation_id', 'w.message_id'])
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
        join.on('c.owner', '=', owner).onRef('c.id', '=', 'k.conversation_id').on('c.deleted_at', 'is', null),
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
    async searchMessages(owner, query, limit, after) {
      const terms = termsOf(query)
      const found: FoundMessage[] = []
      let place = placeOf(after)
      let isAll = terms.length === 0
      for (let round = 0; !isAll && found.length < limit && round < MOST_ROUNDS; round += 1) {
        const wanted = limit - found.length
        const rows = await page(owner, terms, wanted, place)
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
