import type { LogEntry } from '@/lib/chat/conversation'
import { ApiFailure, failureOf } from './api'

export interface LogApi {
  /** All that was done in a conversation, oldest first. Rejects with `ApiFailure` and nothing else. */
  readonly entries: (conversationId: string) => Promise<readonly LogEntry[]>
}

const at = (conversationId: string, rest: string) => `/api/conversations/${encodeURIComponent(conversationId)}/${rest}`

/** Where the whole conversation can be fetched as a file. */
export const exportAddress = (conversationId: string): string => at(conversationId, 'export')

export const createLogApi = (fetchFrom: typeof fetch): LogApi => ({
  async entries(conversationId) {
    let response: Response
    try {
      response = await fetchFrom(at(conversationId, 'log'))
    } catch (cause) {
      throw new ApiFailure('unreachable', 0, 'The server can’t be reached.', { cause })
    }
    if (!response.ok) throw await failureOf(response)
    const answer: unknown = await response.json().catch(() => null)
    if (isLog(answer)) return answer.entries
    throw new ApiFailure('bad-answer', response.status, 'The server’s answer broke off. Try again.')
  },
})

const isLog = (value: unknown): value is { readonly entries: readonly LogEntry[] } =>
  typeof value === 'object' && value !== null && 'entries' in value && Array.isArray(value.entries)
