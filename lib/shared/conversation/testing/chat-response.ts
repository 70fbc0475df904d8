import type { ChatResponse } from '../wire/api-types'
import { defaultSettings } from '../settings/settings'

/** The server's response to an append; few tests need the chat's own row and list entry. */
export function chatResponse(over: Pick<ChatResponse, 'runId' | 'replyId'> & Partial<ChatResponse>): ChatResponse {
  const at = { id: 'c1', title: 'A chat', updatedAt: 1_000 }
  const conversation = { ...at, settings: defaultSettings('demo/demo'), settingsProblem: null, createdAt: 1_000 }
  return {
    message: null,
    calls: [],
    conversation: { ...conversation, headId: over.replyId },
    summary: { ...at, running: true, waitingCalls: 0 },
    ...over,
  }
}
