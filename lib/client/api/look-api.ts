import type {
  CallLinkAnswer,
  CallLink,
  LinkAnswered,
  LinkView,
  NewCallLink,
  NewCopyLink,
} from '@/lib/shared/conversation/wire/call-requests'
import { createApiClient } from './api-client'

/** The requests for links that show a call on another device, where it can be decided. */
export function createCallLinkApi(fetchFrom: typeof fetch) {
  const { ask, tell } = createApiClient(fetchFrom)
  const at = (token: string) => `/api/looks/${encodeURIComponent(token)}`
  return {
    open: (conversationId: string, body: NewCallLink | NewCopyLink) =>
      ask<CallLink>('POST', `/api/conversations/${encodeURIComponent(conversationId)}/looks`, { body }),
    read: (token: string) => ask<LinkView>('GET', at(token)),
    end: (token: string) => tell('DELETE', at(token)),
    answer: (token: string, body: CallLinkAnswer) => ask<LinkAnswered>('POST', at(token), { body }),
  }
}

/** No method rejects: a failure is returned as data. */
export type CallLinkApi = Readonly<ReturnType<typeof createCallLinkApi>>
