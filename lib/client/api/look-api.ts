import type { DecideCallResponse } from '@/lib/shared/conversation/wire/api-types'
import type { LookAnswer, LookLink, LookView, OpenLook } from '@/lib/shared/conversation/wire/look'
import { createApiClient } from './api-client'

/** What a second look asks of the server. */
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

/** No method rejects: what went wrong is data. */
export type LookApi = Readonly<ReturnType<typeof createLookApi>>
