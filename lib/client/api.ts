import type {
  AmendCall,
  ApiError,
  ChatRequest,
  ChatResponse,
  ConversationsResponse,
  ConversationView,
  CreateConversation,
  DecideCall,
  DecideCallResponse,
  FinishCall,
  GiveGrant,
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
} from '@/lib/conversation/conversation'
import type { AppErrorCode, Refusal } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import { clientRefusal } from '@/lib/words/client'
import { wordsOfRefusal } from '@/lib/words/refused'

interface FailureOptions extends Partial<Pick<Refusal, 'reason' | 'values'>> {
  readonly cause?: unknown
  readonly headId?: string | null
}

/**
 * What went wrong: `message` in this page's words, and why, where it is known. `unreachable`: no answer at all, so the same
 * request may be sent again.
 */
export class ApiFailure extends Error {
  readonly code: AppErrorCode | 'unreachable' | 'bad-answer' | 'aborted'
  readonly status: number
  /** With `conflict`: the chat ends here now, and not where the request took it to. */
  readonly headId?: string | null
  readonly reason: string
  readonly values: JsonObject
  constructor(code: ApiFailure['code'], status: number, message: string, options?: FailureOptions) {
    super(message, options)
    this.reason = options?.reason ?? ''
    this.values = options?.values ?? {}
    this.name = 'ApiFailure'
    this.code = code
    this.status = status
    if (options?.headId !== undefined) this.headId = options.headId
  }
}

export interface ClientApi {
  readonly conversations: (query: string) => Promise<readonly ConversationSummary[]>
  readonly createConversation: (body: CreateConversation) => Promise<Conversation>
  readonly view: (id: string) => Promise<ConversationView>
  readonly patchConversation: (id: string, body: PatchConversation) => Promise<Conversation>
  readonly removeConversation: (id: string) => Promise<void>
  readonly chat: (body: ChatRequest) => Promise<ChatResponse>
  readonly stopRun: (runId: string) => Promise<void>
  /** NDJSON of run events after `seq`. */
  readonly runEvents: (runId: string, after: number, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  readonly decideCall: (conversationId: string, body: DecideCall) => Promise<DecideCallResponse>
  readonly finishCall: (conversationId: string, body: FinishCall) => Promise<CallRecord>
  readonly stopCall: (conversationId: string, body: StopCall) => Promise<CallRecord>
  readonly amendCall: (conversationId: string, body: AmendCall) => Promise<readonly CallAmendment[]>
  readonly releaseResult: (conversationId: string, body: ReleaseResult) => Promise<CallRecord>
  readonly giveGrant: (conversationId: string, body: GiveGrant) => Promise<Grant>
  readonly revokeGrant: (conversationId: string, grantId: string) => Promise<Grant>
  readonly models: () => Promise<ModelsResponse>
}

/** Every method rejects with `ApiFailure` and nothing else. */
export function createClientApi(fetchFrom: typeof fetch): ClientApi {
  const request = async (
    method: string,
    path: string,
    body?: unknown,
    { signal, keepalive = false }: { readonly signal?: AbortSignal; readonly keepalive?: boolean } = {},
  ): Promise<Response> => {
    let response: Response
    try {
      response = await fetchFrom(path, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        // No cache mode: every answer says `no-store` itself, and a mode of our own would pass by what the page preloaded.
        ...(signal ? { signal } : {}),
        ...(keepalive ? { keepalive } : {}),
      })
    } catch (cause) {
      if (signal?.aborted) throw ownFailure('aborted', 0, clientRefusal('client.aborted'), cause)
      throw unreachable(cause)
    }
    if (!response.ok) throw await failureOf(response)
    return response
  }
  const ask = async <T>(method: string, path: string, body?: unknown, keepalive = false): Promise<T> => {
    const response = await request(method, path, body, { keepalive })
    try {
      return (await response.json()) as T
    } catch (cause) {
      throw brokeOff(response, cause)
    }
  }
  const at = (id: string, rest = '') => `/api/conversations/${encodeURIComponent(id)}${rest}`

  return {
    async conversations(query) {
      const q = query.trim() === '' ? '' : `?q=${encodeURIComponent(query)}`
      const answer = await ask<ConversationsResponse>('GET', `/api/conversations${q}`)
      return answer.conversations
    },
    createConversation: async (body) =>
      (await ask<{ conversation: Conversation }>('POST', '/api/conversations', body)).conversation,
    view: (id) => ask('GET', at(id)),
    patchConversation: async (id, body) =>
      (await ask<{ conversation: Conversation }>('PATCH', at(id), body)).conversation,
    removeConversation: async (id) => void (await request('DELETE', at(id))),
    chat: (body) => ask('POST', '/api/chat', body),
    stopRun: async (runId) => void (await request('POST', `/api/runs/${encodeURIComponent(runId)}/stop`, {})),
    async runEvents(runId, after, signal) {
      const path = `/api/runs/${encodeURIComponent(runId)}/events?after=${after}`
      const response = await request('GET', path, undefined, { signal })
      if (!response.body) throw ownFailure('bad-answer', response.status, clientRefusal('client.empty-answer'))
      return response.body
    },
    decideCall: (id, body) => ask('POST', at(id, '/calls'), body),
    finishCall: async (id, body) => (await ask<{ call: CallRecord }>('PUT', at(id, '/calls'), body)).call,
    // At the click, so that it arrives also when the page is closed right after; browsers keep small requests only.
    stopCall: async (id, body) =>
      (await ask<{ call: CallRecord }>('POST', at(id, '/calls/stop'), body, body.outcome === undefined)).call,
    amendCall: async (id, body) =>
      (await ask<{ amendments: readonly CallAmendment[] }>('PUT', at(id, '/amendments'), body)).amendments,
    releaseResult: async (id, body) => (await ask<{ call: CallRecord }>('PATCH', at(id, '/calls'), body)).call,
    giveGrant: async (id, body) => (await ask<{ grant: Grant }>('POST', at(id, '/grants'), body)).grant,
    revokeGrant: async (id, grantId) =>
      (await ask<{ grant: Grant }>('DELETE', at(id, `/grants/${encodeURIComponent(grantId)}`))).grant,
    models: () => ask('GET', '/api/models'),
  }
}

const ownFailure = (
  code: ApiFailure['code'],
  status: number,
  { message, ...why }: Refusal,
  cause?: unknown,
): ApiFailure => new ApiFailure(code, status, message, { ...why, cause })

export const unreachable = (cause: unknown): ApiFailure =>
  ownFailure('unreachable', 0, clientRefusal('client.unreachable'), cause)

export const brokeOff = ({ status }: Response, cause?: unknown): ApiFailure =>
  ownFailure('bad-answer', status, clientRefusal('client.broke-off'), cause)

export async function failureOf(response: Response): Promise<ApiFailure> {
  const answer: unknown = await response.json().catch(() => null)
  if (isApiError(answer)) {
    const { code, reason = '', values = {}, message, headId } = answer.error
    const words = (await wordsOfRefusal(reason, values)) ?? message
    const more = { reason, values, ...(headId !== undefined && { headId }) }
    return new ApiFailure(code as AppErrorCode, response.status, words, more)
  }
  // A proxy in between answers without our words: the server behind it is gone or starting.
  if (response.status >= 502 && response.status <= 504) {
    return ownFailure('unreachable', response.status, clientRefusal('client.unreachable'))
  }
  const { status } = response
  return ownFailure('bad-answer', status, clientRefusal('client.refused', { status }))
}

/** Of a server of before, which said no reason, too. */
function isApiError(
  value: unknown,
): value is { error: Partial<Refusal> & Pick<ApiError['error'], 'code' | 'message' | 'headId'> } {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false
  const { error } = value
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}

/** A sentence for any rejection: ours as written, anything else without inner workings. */
export const sentenceOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : clientRefusal('client.broken').message
