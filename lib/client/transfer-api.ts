import type { ConversationExport, ImportConversation, ImportPart } from '@/lib/conversation/api-types'
import type { Conversation } from '@/lib/conversation/conversation'
import { brokeOff, failureOf, unreachable } from './api'
import { exportAddress } from './log-api'

/** Whole conversations out of the server and into it. Every method rejects with `ApiFailure`, or the signal's reason. */
export interface TransferApi {
  readonly exportChat: (conversationId: string, signal: AbortSignal) => Promise<ConversationExport>
  /** `exported` is what stood in the file: the server checks all of it. The same id again is the same import. */
  readonly importChat: (
    id: string,
    exported: unknown,
    take: readonly ImportPart[],
    signal: AbortSignal,
  ) => Promise<Conversation>
}

export function createTransferApi(fetchFrom: typeof fetch): TransferApi {
  const ask = async <T>(path: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<T> => {
    let response: Response
    try {
      response = await fetchFrom(path, init)
    } catch (cause) {
      init.signal.throwIfAborted()
      throw unreachable(cause)
    }
    if (!response.ok) throw await failureOf(response)
    try {
      return (await response.json()) as T
    } catch (cause) {
      init.signal.throwIfAborted()
      throw brokeOff(response, cause)
    }
  }
  return {
    exportChat: (conversationId, signal) => ask(exportAddress(conversationId), { signal }),
    async importChat(id, exported, take, signal) {
      const body = JSON.stringify({ id, export: exported, take } satisfies Record<keyof ImportConversation, unknown>)
      const headers = { 'content-type': 'application/json' }
      const answer = await ask<{ readonly conversation: Conversation }>('/api/conversations/import', {
        method: 'POST',
        headers,
        body,
        signal,
      })
      return answer.conversation
    },
  }
}
