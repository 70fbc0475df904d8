import { withBase } from '@/lib/base/base-path'

/** `/` is a new chat, `/c/ID` a conversation. */
export const addressOf = (conversationId: string | null): string =>
  conversationId === null ? '/' : `/c/${encodeURIComponent(conversationId)}`

/** The conversation that a path shows; null for a new chat, undefined for a page that is not the chat. */
export function conversationAt(pathname: string): string | null | undefined {
  if (pathname === '/') return null
  const match = /^\/c\/([^/]+)\/?$/.exec(pathname)
  if (!match?.[1]) return undefined
  try {
    return decodeURIComponent(match[1])
  } catch {
    return match[1]
  }
}

/** Messages of one answer, at most: what a page needs at first. */
const lastMessages = 200

/** Where the end of a conversation is. The page's own preload and the client's request must name the same. */
export const viewAddress = (conversationId: string): string =>
  `/api/conversations/${encodeURIComponent(conversationId)}?last=${lastMessages}`

/** Where the picture of an attachment is. */
export const imageAddress = (conversationId: string, messageId: string, number: number): string =>
  withBase(
    `/api/conversations/${encodeURIComponent(conversationId)}/attachments/${encodeURIComponent(messageId)}/${number}`,
  )
