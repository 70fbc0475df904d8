import type { ConversationSummary } from '../conversation'
import type { SnippetPart } from './search-words'

/*
 * Where chats stand in their owner's list. A chat has any number of tags, so that it can stand under two subjects; one tag a chat
 * is a folder.
 */

/** What is changed of chats, of many at once. */
export interface ChatsChange {
  readonly pinned?: boolean
  readonly archived?: boolean
  /** True: gone for everyone, and back by false for `undoDeletionMs`. */
  readonly deleted?: boolean
  readonly addTag?: string
  readonly removeTag?: string
  /** Moves them into a project; null: out of any. */
  readonly project?: string | null
}

/** Which part of the list. Left out: all that is not put away, pinned ones first. */
export interface ListFilter {
  readonly archived?: true
  readonly tag?: string
  /** Chats of this project alone. */
  readonly project?: string
}

export interface TagCount {
  readonly tag: string
  /** Chats that bear it, put away or not. */
  readonly chats: number
}

/** For so long the page offers to take a deletion back. */
export const undoDeletionMs = 20_000
/** Then it goes for good. Longer than offered: a click at the last moment is still in time. */
export const deletedRetentionMs = 120_000

/** Chats that are changed at once. */
export const maxBulkChats = 500
export const mostPinned = 100
export const mostTags = 100
/** That a chat brings along from a file. */
export const mostTagsOfImport = 20
export const mostTagChars = 40

/** As it is kept: on one line, without blanks around. '' is none. */
export const cleanTag = (text: string): string =>
  text
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, mostTagChars)
    .toWellFormed()

/** Lines of the list of chats that are given at once. */
export const listPage = 100

/** Where a list goes on: behind this line. Newest first, and by id where the time is the same. */
export type ListPosition = Pick<ConversationSummary, 'updatedAt' | 'id'>

export const comesAfter = (row: ListPosition, place: ListPosition): boolean =>
  row.updatedAt < place.updatedAt || (row.updatedAt === place.updatedAt && row.id > place.id)

/** `1700000000000.ID`; null behind a page that was not full: there is no more. `onTop`: rows before them that come beside the page. */
export function nextOf(rows: readonly ListPosition[], onTop = 0): string | null {
  const last = rows.length - onTop < listPage ? undefined : rows.at(-1)
  return last ? `${last.updatedAt}.${last.id}` : null
}

/** What `nextOf` wrote; null for any other text. */
export function listPositionOf(text: string): ListPosition | null {
  const [, updatedAt, id] = /^(\d{1,15})\.([A-Za-z0-9_-]{1,100})$/.exec(text) ?? []
  return updatedAt === undefined || id === undefined ? null : { updatedAt: Number(updatedAt), id }
}

/** A message that holds what was looked for. */
export interface FoundMessage {
  readonly conversationId: string
  /** Of its chat. */
  readonly title: string
  readonly messageId: string
  /** Who said it: the person, the model, or tools whose results were taken back. */
  readonly by: 'you' | 'model' | 'tools'
  /** Epoch milliseconds. */
  readonly at: number
  /** Its chat is put away. */
  readonly archived?: true
  readonly snippet: readonly SnippetPart[]
}

/** Newest first. */
export interface FoundPage {
  readonly found: readonly FoundMessage[]
  /** The `after` of the next page; null: that is all. */
  readonly next: string | null
  /** Many messages wait for their words to be read: some are not found yet. */
  readonly filling?: true
}

/** Messages of one answer. */
export const foundPage = 30
