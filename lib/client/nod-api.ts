import { ok } from '@/lib/base/result'
import type {
  AmendCall,
  ApiError,
  ChatRequest,
  ChatResponse,
  ConversationExport,
  ConversationsResponse,
  ConversationView,
  CreateConversation,
  DecideCall,
  DecideCallResponse,
  FinishCall,
  GiveGrant,
  ImportConversation,
  ImportPart,
  LogPage,
  ModelsResponse,
  PatchConversation,
  ReleaseResult,
  StopCall,
} from '@/lib/conversation/api-types'
import type {
  CallAmendment,
  CallRecord,
  Conversation,
  ConversationSummary,
  Grant,
  LogEntry,
} from '@/lib/conversation/conversation'
import type { AppErrorCode } from '@/lib/base/app-error'
import { brokeOff, failed, unreachable, type ApiAnswer } from './api-failure'

/** All that the browser asks of the server. No method rejects: what went wrong is data. */
export interface NodApi {
  readonly conversations: (query: string) => Promise<ApiAnswer<readonly ConversationSummary[]>>
  readonly createConversation: (body: CreateConversation) => Promise<ApiAnswer<Conversation>>
  readonly view: (id: string) => Promise<ApiAnswer<ConversationView>>
  readonly patchConversation: (id: string, body: PatchConversation) => Promise<ApiAnswer<Conversation>>
  readonly removeConversation: (id: string) => Promise<ApiAnswer<null>>
  readonly chat: (body: ChatRequest) => Promise<ApiAnswer<ChatResponse>>
  readonly stopRun: (runId: string) => Promise<ApiAnswer<null>>
  /** NDJSON of run events after `seq`. */
  readonly runEvents: (
    runId: string,
    after: number,
    signal: AbortSignal,
  ) => Promise<ApiAnswer<ReadableStream<Uint8Array>>>
  readonly decideCall: (conversationId: string, body: DecideCall) => Promise<ApiAnswer<DecideCallResponse>>
  readonly finishCall: (conversationId: string, body: FinishCall) => Promise<ApiAnswer<CallRecord>>
  readonly stopCall: (conversationId: string, body: StopCall) => Promise<ApiAnswer<CallRecord>>
  readonly amendCall: (conversationId: string, body: AmendCall) => Promise<ApiAnswer<readonly CallAmendment[]>>
  readonly releaseResult: (conversationId: string, body: ReleaseResult) => Promise<ApiAnswer<CallRecord>>
  readonly giveGrant: (conversationId: string, body: GiveGrant) => Promise<ApiAnswer<Grant>>
  readonly revokeGrant: (conversationId: string, grantId: string) => Promise<ApiAnswer<Grant>>
  readonly models: () => Promise<ApiAnswer<ModelsResponse>>
  /** All that was done in a conversation, oldest first. */
  readonly log: (conversationId: string) => Promise<ApiAnswer<readonly LogEntry[]>>
  readonly exportChat: (conversationId: string, signal: AbortSignal) => Promise<ApiAnswer<ConversationExport>>
  /** `exported` is what stood in the file: the server checks all of it. The same id again is the same import. */
  readonly importChat: (
    id: string,
    exported: unknown,
    take: readonly ImportPart[],
    signal: AbortSignal,
  ) => Promise<ApiAnswer<Conversation>>
}

const at = (id: string, rest = '') => `/api/conversations/${encodeURIComponent(id)}${rest}`

/** Where the whole conversation can be fetched as a file. */
export const exportAddress = (conversationId: string): string => at(conversationId, '/export')

interface Request {
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly keepalive?: boolean
}

export function createNodApi(fetchFrom: typeof fetch): NodApi {
  async function request(
    method: string,
    path: string,
    { body, signal, keepalive = false }: Request = {},
  ): Promise<ApiAnswer<Response>> {
    try {
      const response = await fetchFrom(path, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        // No cache mode: every answer says `no-store` itself, and a mode of our own would pass by what the page preloaded.
        ...(signal ? { signal } : {}),
        ...(keepalive ? { keepalive } : {}),
      })
      return response.ok ? ok(response) : await refusalIn(response)
    } catch {
      return signal?.aborted ? stopped : unreachable()
    }
  }
  async function ask<T>(method: string, path: string, more: Request = {}): Promise<ApiAnswer<T>> {
    const response = await request(method, path, more)
    if (!response.ok) return response
    try {
      return ok((await response.value.json()) as T)
    } catch {
      return more.signal?.aborted ? stopped : brokeOff(response.value.status)
    }
  }
  /** What stands under this name in the answer. */
  async function askFor<T>(name: string, ...[method, path, more]: Parameters<typeof ask>): Promise<ApiAnswer<T>> {
    const answer = await ask<Readonly<Record<string, T>>>(method, path, more)
    return answer.ok ? ok(answer.value[name] as T) : answer
  }
  async function tell(...[method, path, more]: Parameters<typeof ask>): Promise<ApiAnswer<null>> {
    const answer = await request(method, path, more)
    return answer.ok ? ok(null) : answer
  }

  return {
    async conversations(query) {
      const q = query.trim() === '' ? '' : `?q=${encodeURIComponent(query)}`
      const answer = await ask<ConversationsResponse>('GET', `/api/conversations${q}`)
      return answer.ok ? ok(answer.value.conversations) : answer
    },
    createConversation: (body) => askFor('conversation', 'POST', '/api/conversations', { body }),
    view: (id) => ask('GET', at(id)),
    patchConversation: (id, body) => askFor('conversation', 'PATCH', at(id), { body }),
    removeConversation: (id) => tell('DELETE', at(id)),
    chat: (body) => ask('POST', '/api/chat', { body }),
    stopRun: (runId) => tell('POST', `/api/runs/${encodeURIComponent(runId)}/stop`, { body: {} }),
    async runEvents(runId, after, signal) {
      const path = `/api/runs/${encodeURIComponent(runId)}/events?after=${after}`
      const response = await request('GET', path, { signal })
      if (!response.ok) return response
      const { body, status } = response.value
      return body ? ok(body) : failed('bad-answer', status, 'The server’s answer was empty.')
    },
    decideCall: (id, body) => ask('POST', at(id, '/calls'), { body }),
    finishCall: (id, body) => askFor('call', 'PUT', at(id, '/calls'), { body }),
    // At the click, so that it arrives also when the page is closed right after; browsers keep small requests only.
    stopCall: (id, body) =>
      askFor('call', 'POST', at(id, '/calls/stop'), { body, keepalive: body.outcome === undefined }),
    amendCall: (id, body) => askFor('amendments', 'PUT', at(id, '/amendments'), { body }),
    releaseResult: (id, body) => askFor('call', 'PATCH', at(id, '/calls'), { body }),
    giveGrant: (id, body) => askFor('grant', 'POST', at(id, '/grants'), { body }),
    revokeGrant: (id, grantId) => askFor('grant', 'DELETE', at(id, `/grants/${encodeURIComponent(grantId)}`)),
    models: () => ask('GET', '/api/models'),
    async log(id) {
      const entries: LogEntry[] = []
      for (let after: number | null = 0; after !== null;) {
        const answer: ApiAnswer<Partial<LogPage> | null> = await ask(
          'GET',
          `${at(id, '/log')}${after === 0 ? '' : `?after=${after}`}`,
        )
        if (!answer.ok) return answer
        const { entries: page, next = null }: Partial<LogPage> = answer.value ?? {}
        if (!Array.isArray(page)) return brokeOff(200)
        entries.push(...(page as readonly LogEntry[]))
        // A page that goes nowhere would be asked for again for ever.
        after = next !== null && next > after ? next : null
      }
      return ok(entries)
    },
    exportChat: (id, signal) => ask('GET', exportAddress(id), { signal }),
    importChat: (id, exported, take, signal) => {
      const body = { id, export: exported, take } satisfies Record<keyof ImportConversation, unknown>
      return askFor('conversation', 'POST', '/api/conversations/import', { body, signal })
    },
  }
}

const stopped = failed('aborted', 0, 'Stopped.')

async function refusalIn(response: Response): Promise<ApiAnswer<never>> {
  const { status } = response
  const answer: unknown = await response.json().catch(() => null)
  if (isApiError(answer)) {
    const { code, message, headId } = answer.error
    const error = { code: code as AppErrorCode, status, message, ...(headId !== undefined && { headId }) }
    return { ok: false, error }
  }
  // A proxy in between answers without our words: the server behind it is gone or starting.
  if (status >= 502 && status <= 504) return unreachable(status)
  return failed('bad-answer', status, `The server refused this (${status}).`)
}

function isApiError(value: unknown): value is ApiError {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false
  const { error } = value
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}
