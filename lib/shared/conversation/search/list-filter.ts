import type { ConversationSummary } from '../conversation'
import type { SnippetPart } from './search-words'

/*
 * The organization of an owner's list of chats. A chat has any number of tags, so it can belong to two subjects; one
 * tag per chat works like a folder.
 */

/** A change of chats, of many at once. */
export interface ChatsChange {
  readonly pinned?: boolean
  readonly archived?: boolean
  /** True: deleted for everyone; false restores it within `undoDeletionMs`. */
  readonly deleted?: boolean
  readonly addTag?: string
  readonly removeTag?: string
  /** Moves them into a project; null: out of any. */
  readonly project?: string | null
}

/** Which part of the list. Left out: all that are not archived, pinned ones first. */
export interface ListFilter {
  readonly archived?: true
  readonly tag?: string
  /** Chats of this project only. */
  readonly project?: string
}

export interface TagCount {
  readonly tag: string
  /** Chats that have it, archived or not. */
  readonly chats: number
}

/** How long the page offers to undo a deletion. */
export const undoDeletionMs = 20_000
/** When it is deleted permanently. Longer than the offer, so that a click at the last moment is still in time. */
export const deletedRetentionMs = 120_000

/** The most chats that are changed at once. */
export const maxBulkChats = 500
export const maxPinned = 100
export const maxTags = 100
/** The most tags that a chat brings from a file. */
export const maxTagsOfImport = 20
export const maxTagChars = 40

/** The stored form: on one line, trimmed. '' is none. */
export const cleanTag = (text: string): string =>
  text
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxTagChars)
    .toWellFormed()

/** The entries of the list that are returned at once. */
export const listPage = 100

/** Where a list continues: after this entry. Newest first, and by id if the time is equal. */
export type ListPosition = Pick<ConversationSummary, 'updatedAt' | 'id'>

export const comesAfter = (row: ListPosition, place: ListPosition): boolean =>
  row.updatedAt < place.updatedAt || (row.updatedAt === place.updatedAt && row.id > place.id)

/**
 * `1700000000000.ID`; null after a page that was not full: there are no more. `onTop`: pinned rows that come in
 * addition to the page.
 */
export function nextOf(rows: readonly ListPosition[], onTop = 0): string | null {
  const last = rows.length - onTop < listPage ? undefined : rows.at(-1)
  return last ? `${last.updatedAt}.${last.id}` : null
}

/** Parses what `nextOf` wrote; null for any other text. */
export function listPositionOf(text: string): ListPosition | null {
  const [, updatedAt, id] = /^(\d{1,15})\.([A-Za-z0-9_-]{1,100})$/.exec(text) ?? []
  return updatedAt === undefined || id === undefined ? null : { updatedAt: Number(updatedAt), id }
}

/** A message that matches the search. */
export interface FoundMessage {
  readonly conversationId: string
  /** The title of its chat. */
  readonly title: string
  readonly messageId: string
  /** Who wrote it: the user, the model, or tools whose results were sent. */
  readonly by: 'you' | 'model' | 'tools'
  /** Epoch milliseconds. */
  readonly at: number
  /** Its chat is archived. */
  readonly archived?: true
  readonly snippet: readonly SnippetPart[]
}

/** Newest first. */
export interface FoundPage {
  readonly found: readonly FoundMessage[]
  /** The `after` of the next page; null: there are no more. */
  readonly next: string | null
  /** Many messages are not indexed yet: some are not found yet. */
  readonly filling?: true
}

/** Messages per response. */
export const foundPage = 30
