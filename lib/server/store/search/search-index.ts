import { sql, type Transaction } from 'kysely'
import { indexedAs, type SearchTerm } from '@/lib/shared/conversation/search/search-words'
import type { Schema } from '../ports/schema'

/*
 * How words stand in the indexes of both databases. Each bears a mark of its owner in front, so that what one owner looks for is
 * looked for among their own words alone, however many others there are; that a message is theirs says its row. Marks of two
 * owners may be the same.
 */

const MARK = 4

/** FNV-1a, as four letters or digits. */
export function ownerMark(owner: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(owner)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(36).padStart(MARK, '0').slice(-MARK)
}

/** In FTS5's own language. Words are letters and digits alone. */
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

export const matchOf = (kind: 'sqlite' | 'postgres', owner: string, terms: readonly SearchTerm[]): string =>
  (kind === 'sqlite' ? inFts : inTsQuery)(ownerMark(owner), terms)

/** A message with its words. */
export interface IndexedWords {
  readonly messageId: string
  readonly doc: number
  readonly words: ReadonlySet<string>
}

/** A million messages of one owner in one statement are none: a batch is some dozen. */
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
  // In order: a smaller number than the one before makes FTS5 write what it holds.
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

/** The number itself, or the next one that no other message has, of whatever owner: the index has one row a number. */
async function freeDoc(trx: Transaction<Schema>, wanted: number): Promise<number> {
  for (let doc = wanted; ; doc += 1) {
    const { rows } = await sql`select rowid from message_index where rowid = ${doc}`.execute(trx)
    if (rows.length === 0) return doc
  }
}

const MOST_AT = 2 ** 41 - 1
const A_MILLISECOND = 4096

/** Greater the later it was written, and within a millisecond by its place in the chat. */
export const docOf = (createdAt: number, seq: number): number =>
  Math.min(Math.max(0, Math.trunc(createdAt) || 0), MOST_AT) * A_MILLISECOND + (seq % A_MILLISECOND)
