import { err, ok } from '@/lib/base/result'
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
  MessagesPage,
  ModelsResponse,
  PatchConversation,
  ReleaseResult,
  StopCall,
} from '@/lib/conversation/api-types'
import type { CallAmendment, CallRecord, Conversation, Grant, LogEntry } from '@/lib/conversation/conversation'
import type { RegisteredTool, ToolToRegister } from '@/lib/conversation/registered-tool'
import type { AppErrorCode, Refusal } from '@/lib/base/app-error'
import { withBase } from '@/lib/base/base-path'
import { viewAddress } from './address'
import { brokeOff, failed, unreachable, type ApiAnswer } from './api-failure'
import { clientRefusal } from '@/lib/words/client'
import { wordsOfRefusal } from '@/lib/words/refused'

const at = (id: string, rest = '') => `/api/conversations/${encodeURIComponent(id)}${rest}`

/** Where the whole conversation can be fetched as a file. */
export const exportAddress = (conversationId: string): string => withBase(at(conversationId, '/export'))

interface Request {
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly keepalive?: boolean
}

/** All that the browser asks of the server. No method rejects: what went wrong is data. */
export type NodApi = Readonly<ReturnType<typeof createNodApi>>

export function createNodApi(fetchFrom: typeof fetch) {
  async function request(
    method: string,
    path: string,
    { body, signal, keepalive = false }: Request = {},
  ): Promise<ApiAnswer<Response>> {
    try {
      const response = await fetchFrom(withBase(path), {
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
    /** A page of the list: the first, or the one behind `after`. */
    conversations(query: string, after: string | null = null): Promise<ApiAnswer<ConversationsResponse>> {
      const asked = new URLSearchParams({ ...(query.trim() !== '' && { q: query }), ...(after !== null && { after }) })
      return ask('GET', `/api/conversations${asked.size > 0 ? `?${asked}` : ''}`)
    },
    /** The end of the branch that is shown, and the outline of the whole chat. */
    view: (id: string) => ask<ConversationView>('GET', viewAddress(id)),
    /** Some of its messages; perhaps not all of them at once. */
    messages: (id: string, ids: readonly string[]) =>
      ask<MessagesPage>('GET', at(id, `/messages?ids=${ids.map(encodeURIComponent).join(',')}`)),
    patchConversation: (id: string, body: PatchConversation) =>
      askFor<Conversation>('conversation', 'PATCH', at(id), { body }),
    removeConversation: (id: string) => tell('DELETE', at(id)),
    chat: (body: ChatRequest) => ask<ChatResponse>('POST', '/api/chat', { body }),
    stopRun: (runId: string) => tell('POST', `/api/runs/${encodeURIComponent(runId)}/stop`, { body: {} }),
    /** NDJSON of run events after `seq`, and of its place in the queue. */
    async runEvents(runId: string, after: number, signal: AbortSignal): Promise<ApiAnswer<ReadableStream<Uint8Array>>> {
      const path = `/api/runs/${encodeURIComponent(runId)}/events?after=${after}&places=1`
      const response = await request('GET', path, { signal })
      if (!response.ok) return response
      const { body, status } = response.value
      return body ? ok(body) : failed('bad-answer', status, clientRefusal('client.empty-answer'))
    },
    decideCall: (id: string, body: DecideCall) => ask<DecideCallResponse>('POST', at(id, '/calls'), { body }),
    finishCall: (id: string, body: FinishCall) => askFor<CallRecord>('call', 'PUT', at(id, '/calls'), { body }),
    // At the click, so that it arrives also when the page is closed right after; browsers keep small requests only.
    stopCall: (id: string, body: StopCall) =>
      askFor<CallRecord>('call', 'POST', at(id, '/calls/stop'), { body, keepalive: body.outcome === undefined }),
    amendCall: (id: string, body: AmendCall) =>
      askFor<readonly CallAmendment[]>('amendments', 'PUT', at(id, '/amendments'), { body }),
    releaseResult: (id: string, body: ReleaseResult) => askFor<CallRecord>('call', 'PATCH', at(id, '/calls'), { body }),
    giveGrant: (id: string, body: GiveGrant) => askFor<Grant>('grant', 'POST', at(id, '/grants'), { body }),
    revokeGrant: (id: string, grantId: string) =>
      askFor<Grant>('grant', 'DELETE', at(id, `/grants/${encodeURIComponent(grantId)}`)),
    createConversation: (body: CreateConversation) =>
      askFor<Conversation>('conversation', 'POST', '/api/conversations', { body }),
    registerTool: (id: string, body: ToolToRegister) =>
      askFor<readonly RegisteredTool[]>('tools', 'PUT', at(id, '/tools'), { body }),
    models: () => ask<ModelsResponse>('GET', '/api/models'),
    /** All that was done in a conversation, oldest first. */
    async log(id: string): Promise<ApiAnswer<readonly LogEntry[]>> {
      const entries: LogEntry[] = []
      for (let after: number | null = 0; after !== null;) {
        const path: string = `${at(id, '/log')}${after === 0 ? '' : `?after=${after}`}`
        const answer: ApiAnswer<Partial<LogPage> | null> = await ask('GET', path)
        if (!answer.ok) return answer
        const page: Partial<LogPage> = answer.value ?? {}
        if (!Array.isArray(page.entries)) return brokeOff(200)
        entries.push(...(page.entries as readonly LogEntry[]))
        // A page that goes nowhere would be asked for again for ever.
        after = page.next != null && page.next > after ? page.next : null
      }
      return ok(entries)
    },
    exportChat: (id: string, signal: AbortSignal) => ask<ConversationExport>('GET', exportAddress(id), { signal }),
    /** `exported` is what stood in the file: the server checks all of it. The same id again is the same import. */
    importChat(id: string, exported: unknown, take: readonly ImportPart[], signal: AbortSignal) {
      const body = { id, export: exported, take } satisfies Record<keyof ImportConversation, unknown>
      return askFor<Conversation>('conversation', 'POST', '/api/conversations/import', { body, signal })
    },
  }
}

/** What a proxy asks for beyond it is more than a timer can hold. */
const DAY_MS = 86_400_000

const stopped = failed('aborted', 0, clientRefusal('client.aborted'))

async function refusalIn(response: Response): Promise<ApiAnswer<never>> {
  const { status } = response
  const answer: unknown = await response.json().catch(() => null)
  if (isApiError(answer)) {
    const { code, reason = '', values = {}, message: written, headId } = answer.error
    const message = (await wordsOfRefusal(reason, values)) ?? written
    const later = Math.min(Number(response.headers.get('retry-after')) * 1_000, DAY_MS)
    const why = {
      reason,
      values,
      message,
      ...(headId !== undefined && { headId }),
      ...(later > 0 && { retryAfterMs: later }),
    }
    return err({ code: code as AppErrorCode, status, ...why })
  }
  // A proxy in between answers without our words: the server behind it is gone or starting.
  if (status >= 502 && status <= 504) return unreachable(status)
  return failed('bad-answer', status, clientRefusal('client.refused', { status }))
}

/** Of a server of before, which said no reason, too. */
function isApiError(
  value: unknown,
): value is { error: Partial<Refusal> & Pick<ApiError['error'], 'code' | 'message' | 'headId'> } {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false
  const { error } = value
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}
