import type { Kysely, Transaction } from 'kysely'
import { wordsOf, searchTextOf } from '@/lib/shared/conversation/search/search-words'
import { messageFromRow } from '../database/rows'
import type { RelaxedTransaction } from './run-event-queries'
import type { Schema } from '../ports/schema'
import type { SearchStore } from '../ports/store'
import { docOf, insertWords } from '../search/search-queries'

interface Chat {
  readonly owner: string
  readonly conversation_id: string
}

/**
 * Adds messages to the search index, chat by chat. A transaction need not wait for the disk: a power failure that loses
 * it also loses the note that the message was indexed.
 */
export function indexQueries(
  db: Kysely<Schema>,
  kind: 'sqlite' | 'postgres',
  relaxed: RelaxedTransaction,
): Pick<SearchStore, 'indexWords'> {
  return {
    async indexWords(atMost) {
      const due = await db.selectFrom('words_due').select(['owner', 'conversation_id']).limit(atMost).execute()
      const chats = new Map(due.map((row) => [`${row.owner} ${row.conversation_id}`, row]))
      const indexAll = async (trx: Transaction<Schema>, some: Iterable<Chat>): Promise<number> => {
        let read = 0
        for (const chat of some) read += await indexChat(trx, kind, chat, atMost)
        return read
      }
      // SQLite has one writer, so no other request waits for these rows, and one commit serves all.
      const isOne = kind === 'sqlite' && chats.size > 1
      const together = isOne ? await relaxed((trx) => indexAll(trx, chats.values())).catch(() => null) : null
      if (together !== null) return together
      let read = 0
      for (const chat of chats.values()) read += await relaxed((trx) => indexAll(trx, [chat]))
      return read
    },
  }
}

/** The chat's row comes first, as in a deletion: the other order would deadlock on PostgreSQL. */
async function indexChat(
  trx: Transaction<Schema>,
  kind: 'sqlite' | 'postgres',
  chat: Chat,
  atMost: number,
): Promise<number> {
  const held = trx
    .selectFrom('conversations')
    .select('id')
    .where('owner', '=', chat.owner)
    .where('id', '=', chat.conversation_id)
  if (kind === 'postgres') await held.forKeyShare().execute()
  const waiting = trx
    .selectFrom('words_due')
    .select('message_id')
    .where('owner', '=', chat.owner)
    .where('conversation_id', '=', chat.conversation_id)
    .limit(atMost)
  // Skips rows that another node is indexing.
  const due = await (kind === 'postgres' ? waiting.forUpdate().skipLocked() : waiting).execute()
  const ids = due.map((row) => row.message_id)
  if (ids.length === 0) return 0
  const rows = await trx
    .selectFrom('messages')
    .select(['id', 'seq', 'body'])
    .where('owner', '=', chat.owner)
    .where('conversation_id', '=', chat.conversation_id)
    .where('id', 'in', ids)
    .execute()
  for (const table of ['message_words', 'words_due'] as const) {
    await trx
      .deleteFrom(table)
      .where('owner', '=', chat.owner)
      .where('conversation_id', '=', chat.conversation_id)
      .where('message_id', 'in', ids)
      .execute()
  }
  const read = rows.map(({ id, seq, body }) => {
    const message = messageFromRow({ id, conversationId: chat.conversation_id, body, before: null })
    return { messageId: id, doc: docOf(message.createdAt, seq), words: wordsOf(searchTextOf(message)) }
  })
  await insertWords(
    trx,
    kind,
    chat,
    read.filter(({ words }) => words.size > 0),
  )
  return ids.length
}
