import type { ConversationSummary } from '../conversation'

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
