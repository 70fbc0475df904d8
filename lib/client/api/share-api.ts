import type { Conversation } from '@/lib/shared/conversation/conversation'
import type { SharedLink, ShareChat, SharesResponse } from '@/lib/shared/conversation/readable/readable-chat'
import { createApiClient } from './api-client'

/** What sharing asks of the server; nothing of it is needed before someone shares or reads a shared chat. */
export function createShareApi(fetchFrom: typeof fetch) {
  const { ask, askFor, tell } = createApiClient(fetchFrom)
  return {
    share: (conversationId: string, body: ShareChat, signal: AbortSignal) =>
      ask<{ readonly share: SharedLink; readonly token: string }>(
        'POST',
        `/api/conversations/${encodeURIComponent(conversationId)}/shares`,
        { body, signal },
      ),
    /** The links that stand, the newest first. */
    shares: () => ask<SharesResponse>('GET', '/api/shares'),
    unshare: (id: string) => tell('DELETE', `/api/shares/${encodeURIComponent(id)}`),
    /** Makes a chat of one's own of what a link shows; the same id again is the same chat. */
    copyShared: (token: string, id: string) =>
      askFor<Conversation>('conversation', 'POST', `/api/shared/${encodeURIComponent(token)}`, { body: { id } }),
  }
}

/** No method rejects: what went wrong is data. */
export type ShareApi = Readonly<ReturnType<typeof createShareApi>>
