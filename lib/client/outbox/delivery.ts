import type { ChatResponse } from '@/lib/shared/conversation/wire/api-types'
import type { ApiFailure } from '../api/api-failure'

export interface SenderEvents {
  onAccepted(conversationId: string, response: ChatResponse): void
  /** Whatever stands in the way is on the server. */
  onRefused(conversationId: string): void
}

/** Hears what the server said to a try that left a message where it was; not that nobody answered. */
export type OnPutOff = (id: string, failure: ApiFailure) => void

/** `kept`: not now, it stays in the outbox; `unanswered`: and the server could not be asked. */
export type Delivery = 'accepted' | 'kept' | 'unanswered'
