import { withBase } from '@/lib/base/base-path'

/** `/` is a new chat, `/c/ID` a conversation. */
export const addressOf = (conversationId: string | null): string =>
  conversationId === null ? '/' : `/c/${encodeURIComponent(conversationId)}`

/** The conversation that a path shows: null for a new chat, undefined for a page that is not the chat. */
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

/** The most messages in one response: enough for what a page needs at first. */
const lastMessages = 200

/** The address of the end of a conversation. The page's preload and the client's request must use the same address. */
export const viewAddress = (conversationId: string): string =>
  `/api/conversations/${encodeURIComponent(conversationId)}?last=${lastMessages}`

/** The address of an attached image. */
export const imageAddress = (conversationId: string, messageId: string, number: number): string =>
  withBase(
    `/api/conversations/${encodeURIComponent(conversationId)}/attachments/${encodeURIComponent(messageId)}/${number}`,
  )
