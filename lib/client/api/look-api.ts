import type { DecideCallResponse } from '@/lib/shared/conversation/wire/call-requests'
import type { LookAnswer, LookLink, LookView, OpenLook } from '@/lib/shared/conversation/wire/look'
import { createApiClient } from './api-client'

/** The requests for links that show a call on another device, where it can be decided. */
export function createLookApi(fetchFrom: typeof fetch) {
  const { ask } = createApiClient(fetchFrom)
  const at = (token: string) => `/api/looks/${encodeURIComponent(token)}`
  return {
    open: (conversationId: string, body: OpenLook) =>
      ask<LookLink>('POST', `/api/conversations/${encodeURIComponent(conversationId)}/looks`, { body }),
    read: (token: string) => ask<LookView>('GET', at(token)),
    answer: (token: string, body: LookAnswer) => ask<DecideCallResponse>('POST', at(token), { body }),
  }
}

/** No method rejects: a failure is returned as data. */
export type LookApi = Readonly<ReturnType<typeof createLookApi>>
