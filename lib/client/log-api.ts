import type { LogPage } from '@/lib/conversation/api-types'
import type { LogEntry } from '@/lib/conversation/conversation'
import { brokeOff, failureOf, unreachable } from './api'

export interface LogApi {
  /** All that was done in a conversation, oldest first. Rejects with `ApiFailure` and nothing else. */
  readonly entries: (conversationId: string) => Promise<readonly LogEntry[]>
}

const at = (conversationId: string, rest: string) => `/api/conversations/${encodeURIComponent(conversationId)}/${rest}`

/** Where the whole conversation can be fetched as a file. */
export const exportAddress = (conversationId: string): string => at(conversationId, 'export')

export const createLogApi = (fetchFrom: typeof fetch): LogApi => ({
  async entries(conversationId) {
    const entries: LogEntry[] = []
    for (let after: number | null = 0; after !== null;) {
      const page = await pageOf(fetchFrom, `${at(conversationId, 'log')}${after === 0 ? '' : `?after=${after}`}`)
      entries.push(...page.entries)
      // A page that goes nowhere would be asked for again for ever.
      after = page.next != null && page.next > after ? page.next : null
    }
    return entries
  },
})

async function pageOf(fetchFrom: typeof fetch, address: string): Promise<Page> {
  let response: Response
  try {
    response = await fetchFrom(address)
  } catch (cause) {
    throw unreachable(cause)
  }
  if (!response.ok) throw await failureOf(response)
  const answer: unknown = await response.json().catch(() => null)
  if (isLog(answer)) return answer
  throw brokeOff(response)
}

type Page = Pick<LogPage, 'entries'> & Partial<LogPage>

const isLog = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'entries' in value && Array.isArray(value.entries)
