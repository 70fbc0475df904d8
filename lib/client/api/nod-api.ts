import { ok } from '@/lib/base/result'
import type {
  AllDeleted,
  ChatRequest,
  ChatResponse,
  ConversationExport,
  ConversationsResponse,
  ConversationView,
  CreateConversation,
  ImportConversation,
  ImportPart,
  LogPage,
  MessagesPage,
  ModelsResponse,
  PatchConversation,
  UseView,
} from '@/lib/shared/conversation/wire/api-types'
import type {
  AmendCall,
  DecideCall,
  DecideInner,
  DecideCallResponse,
  ExplainDenial,
  FinishCall,
  FinishInner,
  AllowCopy,
  AnswerCopy,
  GiveGrant,
  ReleaseResult,
  StopCall,
} from '@/lib/shared/conversation/wire/call-requests'
import type { Conversation, LogEntry } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import type { CopyEnd } from '@/lib/shared/conversation/copy-scopes'
import type { RegisteredTool, ToolToRegister } from '@/lib/shared/conversation/settings/registered-tool'
import type { ChatsChange } from '@/lib/shared/conversation/search/list-filter'
import { withBase } from '@/lib/base/base-path'
import { isBrowserModel } from '@/lib/base/model-id'
import type { ModelInfo } from '@/lib/shared/models/model'
import { viewAddress } from './address'
import { brokeOff, failed, unreachable, type ApiAnswer, readyToRead } from './api-failure'
import { makeRefusal } from '@/lib/i18n/t'
import { createApiClient, type ApiClientOptions } from './api-client'
import { loadPart } from '@/lib/i18n/load-part'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import type { SharedLink, ShareChat, SharesResponse } from '@/lib/shared/conversation/readable/readable-chat'

const at = (id: string, rest = '') => `/api/conversations/${encodeURIComponent(id)}${rest}`

/** The address for downloading the whole conversation as a file. */
export const exportAddress = (conversationId: string): string => withBase(at(conversationId, '/export'))

/** The models of this browser, and the code that writes replies with them in this tab. */
export interface LocalModels {
  /** The user's own models; never rejects. */
  list(): Promise<readonly ModelInfo[]>
  /** Has this tab write the reply; `send` posts the message to the server. */
  chat(
    body: ChatRequest,
    model: string,
    send: (body: ChatRequest) => Promise<ApiAnswer<ChatResponse>>,
  ): Promise<ApiAnswer<ChatResponse>>
  /** Stops a reply that this tab writes. */
  stop(runId: string): void
}

/** The storage key that is set when the browser has models of its own. Only then is their part of the page loaded. */
export const ownModelsKey = 'nod:own-models'

/** Replies by models of this browser are written in this tab. Their code is loaded when it is first needed. */
export interface BrowserModels {
  /** The model of a request, if the page knows it; otherwise the server's refusal names it. */
  readonly modelOf: (body: ChatRequest) => string
  /** Called each time the models are listed. */
  readonly hasOwn: () => boolean
  readonly load: () => Promise<LocalModels>
}

export interface NodApiOptions extends ApiClientOptions {
  /** What is added to every chat request. */
  readonly withChat?: (body: ChatRequest) => Partial<ChatRequest> | Promise<Partial<ChatRequest>>
  readonly browserModels?: BrowserModels
}

/** All requests to the server. No method rejects: a failure is returned as data. */
export type NodApi = Readonly<ReturnType<typeof createNodApi>>

export function createNodApi(fetchFrom: typeof fetch, { withChat, browserModels, wait }: NodApiOptions = {}) {
  const { request, ask, askFor, tell } = createApiClient(fetchFrom, { ...(wait && { wait }) })
  let local: LocalModels | null = null

  async function loadLocal({ load }: BrowserModels): Promise<LocalModels | null> {
    try {
      return (local ??= await load())
    } catch {
      return null
    }
  }
  // Sent after every pending request about the chat's calls. Requests can overtake each other, and the model must get
  // what the user had seen when they wrote.
  async function chatByServer(body: ChatRequest): Promise<ApiAnswer<ChatResponse>> {
    const added = await withChat?.(body)
    return ask('POST', '/api/chat', { body: { ...body, ...added }, after: body.conversationId })
  }

  async function chatByTab(models: BrowserModels, body: ChatRequest, model: string): Promise<ApiAnswer<ChatResponse>> {
    const writers = await loadLocal(models)
    return writers ? writers.chat(body, model, chatByServer) : chatByServer(body)
  }
  /** Returns messages, once the code that reads them is loaded. */
  async function askToRead<T extends Pick<MessagesPage, 'messages'>>(path: string): Promise<ApiAnswer<T>> {
    const answer = await ask<T>('GET', path)
    try {
      if (answer.ok) await readyToRead(answer.value.messages)
      return answer
    } catch {
      return unreachable()
    }
  }
  /** Loads each set of tools once per page, by its hash. */
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
      const params = new URLSearchParams({ ...(query.trim() !== '' && { q: query }), ...(after !== null && { after }) })
      return ask('GET', `/api/conversations${params.size > 0 ? `?${params}` : ''}`)
    },
    /**
     * The end of the shown branch, and the outline of the whole chat. It is made readable only where someone `reads`
     * it.
     */
    async view(id: string, { reads = false } = {}): Promise<ApiAnswer<ConversationView>> {
      const answer = await askToRead<ConversationView>(viewAddress(id))
      if (!answer.ok) return answer
      if (answer.value.keptAt !== undefined && !reads) return unreachable()
      return (answer.value.toolSets ?? []).length === 0 ? answer : withSets(answer.value)
    },
    /** Returns some of the chat's messages; the server may return fewer than asked. */
    messages: (id: string, ids: readonly string[]) =>
      askToRead<MessagesPage>(at(id, `/messages?ids=${ids.map(encodeURIComponent).join(',')}`)),
    /** Deletes permanently: this can't be undone. */
    deleteConversation: (id: string) => tell('DELETE', at(id)),
    patchConversation: (id: string, body: PatchConversation) =>
      askFor<Conversation>('conversation', 'PATCH', at(id), { body }),
    /** Changes many chats at once; returns those that exist. */
    sortChats: (ids: readonly string[], change: ChatsChange) =>
      askFor<readonly string[]>('changed', 'PATCH', '/api/conversations', { body: { ids, change } }),
    async chat(body: ChatRequest): Promise<ApiAnswer<ChatResponse>> {
      if (!browserModels) return chatByServer(body)
      const known = browserModels.modelOf(body)
      if (isBrowserModel(known)) return chatByTab(browserModels, body, known)
      const answer = await chatByServer(body)
      const { model } = answer.ok || answer.error.reason !== 'chat.tab-model' ? {} : answer.error.values
      return typeof model === 'string' ? chatByTab(browserModels, body, model) : answer
    },
    stopRun(runId: string) {
      local?.stop(runId)
      return tell('POST', `/api/runs/${encodeURIComponent(runId)}/stop`, { body: {} })
    },
    /** NDJSON of run events after `seq`, and of the run's place in the queue. */
    async runEvents(runId: string, after: number, signal: AbortSignal): Promise<ApiAnswer<ReadableStream<Uint8Array>>> {
      const path = `/api/runs/${encodeURIComponent(runId)}/events?after=${after}&places=1`
      const response = await request('GET', path, { signal })
      if (!response.ok) return response
      const { body, status } = response.value
      return body ? ok(body) : failed('bad-answer', status, makeRefusal('client.empty-answer'))
    },
    decideCall: (id: string, body: DecideCall) =>
      ask<DecideCallResponse>('POST', at(id, '/calls'), { body, queue: id }),
    finishCall: (id: string, body: FinishCall) =>
      askFor<CallRecord>('call', 'PUT', at(id, '/calls'), { body, queue: id }),
    decideInner: (id: string, body: DecideInner) =>
      ask<DecideCallResponse>('POST', at(id, '/calls/inner'), { body, queue: id }),
    finishInner: (id: string, body: FinishInner) =>
      askFor<CallRecord>('call', 'PUT', at(id, '/calls/inner'), { body, queue: id }),
    // At the click, so that it arrives also when the page is closed right after; browsers keep small requests only.
    stopCall: (id: string, body: StopCall) =>
      askFor<CallRecord>('call', 'POST', at(id, '/calls/stop'), {
        body,
        queue: id,
        keepalive: body.outcome === undefined,
      }),
    explainDenial: (id: string, body: ExplainDenial) =>
      askFor<CallRecord>('call', 'POST', at(id, '/calls/reason'), { body, queue: id }),
    amendCall: (id: string, body: AmendCall) =>
      askFor<readonly CallAmendment[]>('amendments', 'PUT', at(id, '/amendments'), { body, queue: id }),
    releaseResult: (id: string, body: ReleaseResult) =>
      askFor<CallRecord>('call', 'PATCH', at(id, '/calls'), { body, queue: id }),
    giveGrant: (id: string, body: GiveGrant) => askFor<Grant>('grant', 'POST', at(id, '/grants'), { body }),
    endCopy: (id: string, grantId: string, body: CopyEnd | AllowCopy | AnswerCopy) =>
      askFor<Grant>('grant', 'PUT', at(id, `/grants/${encodeURIComponent(grantId)}`), { body }),
    revokeGrant: (id: string, grantId: string) =>
      askFor<Grant>('grant', 'DELETE', at(id, `/grants/${encodeURIComponent(grantId)}`)),
    createConversation: (body: CreateConversation) =>
      askFor<Conversation>('conversation', 'POST', '/api/conversations', { body }),
    registerTool: (id: string, body: ToolToRegister) =>
      askFor<readonly RegisteredTool[]>('tools', 'PUT', at(id, '/tools'), { body }),
    async models(): Promise<ApiAnswer<ModelsResponse>> {
      const answer = await ask<ModelsResponse>('GET', '/api/models')
      if (!answer.ok || !browserModels?.hasOwn()) return answer
      const own = (await (await loadLocal(browserModels))?.list()) ?? []
      return ok({ ...answer.value, models: [...answer.value.models, ...own] })
    },
    /** The user's remaining allowance and stored data; and the request that deletes all of it. */
    use: () => ask<UseView>('GET', '/api/use'),
    deleteAll: () => ask<AllDeleted>('DELETE', '/api/use'),
    /** Everything that was done in a conversation, oldest first. */
    async log(id: string): Promise<ApiAnswer<readonly LogEntry[]>> {
      const entries: LogEntry[] = []
      for (let after: number | null = 0; after !== null;) {
        const path: string = `${at(id, '/log')}${after === 0 ? '' : `?after=${after}`}`
        const answer: ApiAnswer<Partial<LogPage> | null> = await ask('GET', path)
        if (!answer.ok) return answer
        const page: Partial<LogPage> = answer.value ?? {}
        if (!Array.isArray(page.entries)) return brokeOff(200)
        entries.push(...(page.entries as readonly LogEntry[]))
        // A page whose `next` does not advance would be fetched again forever.
        after = page.next != null && page.next > after ? page.next : null
      }
      return ok(entries)
    },
    exportChat: (id: string, signal: AbortSignal) => ask<ConversationExport>('GET', at(id, '/export'), { signal }),
    /** `exported` is the content of the file: the server checks all of it. The same id again is the same import. */
    importChat(id: string, exported: unknown, take: readonly ImportPart[], signal: AbortSignal) {
      const body = { id, export: exported, take } satisfies Record<keyof ImportConversation, unknown>
      return askFor<Conversation>('conversation', 'POST', '/api/conversations/import', { body, signal })
    },
  }
}

/** The requests for sharing. Loaded when someone shares a chat or reads a shared one. */
export function createShareApi(fetchFrom: typeof fetch) {
  const { ask, askFor, tell } = createApiClient(fetchFrom)
  return {
    share: (conversationId: string, body: ShareChat, signal: AbortSignal) =>
      ask<{ readonly share: SharedLink; readonly token: string }>(
        'POST',
        `/api/conversations/${encodeURIComponent(conversationId)}/shares`,
        { body, signal },
      ),
    /** The active links, newest first. */
    shares: () => ask<SharesResponse>('GET', '/api/shares'),
    unshare: (id: string) => tell('DELETE', `/api/shares/${encodeURIComponent(id)}`),
    /** Makes the user's own copy of a shared chat; the same id again is the same chat. */
    copyShared: (token: string, id: string) =>
      askFor<Conversation>('conversation', 'POST', `/api/shared/${encodeURIComponent(token)}`, { body: { id } }),
  }
}

/** No method rejects: a failure is returned as data. */
export type ShareApi = Readonly<ReturnType<typeof createShareApi>>
