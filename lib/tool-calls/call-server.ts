import { err, ok, type Result } from '@/lib/base/result'
import type {
  ChatRequest,
  ChatResponse,
  ConversationView,
  DecideCall,
  DecideCallResponse,
  FinishCall,
} from '@/lib/chat/api-types'
import type { CallRecord } from '@/lib/chat/conversation'
import type { CallFailure, CallServer } from './call-ports'

/** The part of the browser's API that calls need. Rejects with an error that carries `code` and `status`. */
export interface CallApi {
  decideCall(conversationId: string, body: DecideCall): Promise<DecideCallResponse>
  finishCall(conversationId: string, body: FinishCall): Promise<CallRecord>
  chat(body: ChatRequest): Promise<ChatResponse>
  view(conversationId: string): Promise<ConversationView>
}

/** The browser's API as the port of the call controller: rejections become failures as data. */
export function createCallServer(api: CallApi): CallServer {
  return {
    decide: (conversationId, request) => ask(() => api.decideCall(conversationId, request)),
    finish: (conversationId, request) => ask(() => api.finishCall(conversationId, request)),
    sendResults: (conversationId, append) => ask(() => api.chat({ conversationId, append })),
    loadCalls: (conversationId) => ask(async () => (await api.view(conversationId)).calls),
  }
}

async function ask<T>(request: () => Promise<T>): Promise<Result<T, CallFailure>> {
  try {
    return ok(await request())
  } catch (error) {
    if (isApiFailure(error)) return err({ code: error.code, message: error.message, retryable: isRetryable(error) })
    const message = 'Something went wrong in this page. Reload it; what is stored is kept.'
    return err({ code: 'internal', message, retryable: false })
  }
}

interface Failure {
  readonly code: string
  readonly status: number
  readonly message: string
}

const isApiFailure = (error: unknown): error is Failure =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  'status' in error &&
  typeof error.status === 'number'

/** Nothing was refused, only not answered: all three writes are idempotent, so asking again is safe. */
function isRetryable({ code, status }: Failure): boolean {
  switch (code) {
    case 'unreachable':
    case 'aborted':
    case 'rate-limited':
    case 'unavailable':
    case 'internal':
      return true
    default:
      return code === 'bad-answer' && (status < 400 || status >= 500)
  }
}
