import { ok } from '@/lib/base/result'
import type {
  AllDeleted,
  AmendCall,
  ChatRequest,
  ChatResponse,
  ConversationExport,
  ConversationsResponse,
  ConversationView,
  CreateConversation,
  DecideCall,
  DecideCallResponse,
  ExplainDenial,
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
  UseView,
} from '@/lib/shared/conversation/wire/api-types'
import type { CallAmendment, CallRecord, Conversation, Grant, LogEntry } from '@/lib/shared/conversation/conversation'
import type { RegisteredTool, ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { ChatsChange } from '@/lib/shared/conversation/search/list-filter'
import { withBase } from '@/lib/base/base-path'
import { viewAddress } from './address'
import { brokeOff, failed, unreachable, type ApiAnswer } from './api-failure'
import { makeRefusal } from '@/lib/i18n/t'
import { readyToRead } from './envelope-form'
import { createWire } from './wire'
import { loadPart } from '@/lib/i18n/load-part'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'

const at = (id: string, rest = '') => `/api/conversations/${encodeURIComponent(id)}${rest}`

/** Where the whole conversation can be fetched as a file. */
export const exportAddress = (conversationId: string): string => withBase(at(conversationId, '/export'))

/** All that the browser asks of the server. No method rejects: what went wrong is data. */
export type NodApi = Readonly<ReturnType<typeof createNodApi>>

export function createNodApi(fetchFrom: typeof fetch) {
  const { request, ask, askFor, tell } = createWire(fetchFrom)
  /** Messages, once they can be read. */
  async function askToRead<T extends Pick<MessagesPage, 'messages'>>(path: string): Promise<ApiAnswer<T>> {
    const answer = await ask<T>('GET', path)
    try {
      if (answer.ok) await readyToRead(answer.value.messages)
      return answer
    } catch {
      return unreachable()
    }
  }
  /** Sets of tools are loaded once a page, by their hash. */
  async function withSets(view: ConversationView): Promise<ApiAnswer<ConversationView>> {
    try {
      const { withToolSets } = await loadPart(() => import('@/lib/client/api/load-tool-sets'))
      return await withToolSets(view, (hash) => askFor<readonly McpTool[]>('tools', 'GET', `/api/tool-sets/${hash}`))
    } catch {
      return unreachable()
    }
  }
  return {
    /** A page of the list: the first, or the one behind `after`. */
    conversations(query: string, after: string | null = null): Promise<ApiAnswer<ConversationsResponse>> {
      const asked = new URLSearchParams({ ...(query.trim() !== '' && { q: query }), ...(after !== null && { after }) })
      return ask('GET', `/api/conversations${asked.size > 0 ? `?${asked}` : ''}`)
    },
    /** The end of the branch that is shown, and the outline of the whole chat; as it was, only where somebody `reads` it. */
    async view(id: string, { reads = false } = {}): Promise<ApiAnswer<ConversationView>> {
      const answer = await askToRead<ConversationView>(viewAddress(id))
      if (!answer.ok) return answer
      if (answer.value.keptAt !== undefined && !reads) return unreachable()
      return (answer.value.toolSets ?? []).length === 0 ? answer : withSets(answer.value)
    },
    /** Some of its messages; perhaps not all of them at once. */
    messages: (id: string, ids: readonly string[]) =>
      askToRead<MessagesPage>(at(id, `/messages?ids=${ids.map(encodeURIComponent).join(',')}`)),
    patchConversation: (id: string, body: PatchConversation) =>
      askFor<Conversation>('conversation', 'PATCH', at(id), { body }),
    /** Many chats at once; gives those that are there. */
    sortChats: (ids: readonly string[], change: ChatsChange) =>
      askFor<readonly string[]>('changed', 'PATCH', '/api/conversations', { body: { ids, change } }),
    chat: (body: ChatRequest) => ask<ChatResponse>('POST', '/api/chat', { body }),
    stopRun: (runId: string) => tell('POST', `/api/runs/${encodeURIComponent(runId)}/stop`, { body: {} }),
    /** NDJSON of run events after `seq`, and of its place in the queue. */
    async runEvents(runId: string, after: number, signal: AbortSignal): Promise<ApiAnswer<ReadableStream<Uint8Array>>> {
      const path = `/api/runs/${encodeURIComponent(runId)}/events?after=${after}&places=1`
      const response = await request('GET', path, { signal })
      if (!response.ok) return response
      const { body, status } = response.value
      return body ? ok(body) : failed('bad-answer', status, makeRefusal('client.empty-answer'))
    },
    decideCall: (id: string, body: DecideCall) => ask<DecideCallResponse>('POST', at(id, '/calls'), { body }),
    finishCall: (id: string, body: FinishCall) => askFor<CallRecord>('call', 'PUT', at(id, '/calls'), { body }),
    // At the click, so that it arrives also when the page is closed right after; browsers keep small requests only.
    stopCall: (id: string, body: StopCall) =>
      askFor<CallRecord>('call', 'POST', at(id, '/calls/stop'), { body, keepalive: body.outcome === undefined }),
    explainDenial: (id: string, body: ExplainDenial) =>
      askFor<CallRecord>('call', 'POST', at(id, '/calls/reason'), { body }),
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
    /** What is left and kept of whoever asks; and the end of all of it. */
    use: () => ask<UseView>('GET', '/api/use'),
    deleteAll: () => ask<AllDeleted>('DELETE', '/api/use'),
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
    exportChat: (id: string, signal: AbortSignal) => ask<ConversationExport>('GET', at(id, '/export'), { signal }),
    /** `exported` is what stood in the file: the server checks all of it. The same id again is the same import. */
    importChat(id: string, exported: unknown, take: readonly ImportPart[], signal: AbortSignal) {
      const body = { id, export: exported, take } satisfies Record<keyof ImportConversation, unknown>
      return askFor<Conversation>('conversation', 'POST', '/api/conversations/import', { body, signal })
    },
  }
}
