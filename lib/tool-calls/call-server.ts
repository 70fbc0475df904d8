import { callSentence } from '@/lib/words/calls'
import { err, ok, type Result } from '@/lib/base/result'
import type {
  AmendCall,
  ChatResponse,
  ConversationView,
  DecideCall,
  DecideCallResponse,
  FinishCall,
  GiveGrant,
  ReleaseResult,
  ResultsAppend,
  StopCall,
} from '@/lib/conversation/api-types'
import type { CallAmendment, CallRecord, Grant } from '@/lib/conversation/conversation'
import type { CallFailure, CallServer } from './call-ports'

/** The part of the browser's API that calls need. Rejects with an error that carries `code` and `status`. */
export interface CallApi {
  decideCall(conversationId: string, body: DecideCall): Promise<DecideCallResponse>
  finishCall(conversationId: string, body: FinishCall): Promise<CallRecord>
  stopCall(conversationId: string, body: StopCall): Promise<CallRecord>
  amendCall(conversationId: string, body: AmendCall): Promise<readonly CallAmendment[]>
  releaseResult(conversationId: string, body: ReleaseResult): Promise<CallRecord>
  giveGrant(conversationId: string, body: GiveGrant): Promise<Grant>
  revokeGrant(conversationId: string, grantId: string): Promise<Grant>
  view(conversationId: string): Promise<ConversationView>
}

/** Says the results of a reply's calls in the chat; rejects as the API does. */
export type PostResults = (conversationId: string, append: ResultsAppend) => Promise<ChatResponse>

/** The browser's API as the port of the call controller: rejections become failures as data. */
export function createCallServer(api: CallApi, postResults: PostResults): CallServer {
  return {
    decide: (conversationId, request) => ask(() => api.decideCall(conversationId, request)),
    finish: (conversationId, request) => ask(() => api.finishCall(conversationId, request)),
    stop: (conversationId, request) => ask(() => api.stopCall(conversationId, request)),
    sendResults: (conversationId, append) => ask(() => postResults(conversationId, append)),
    amend: (conversationId, request) => ask(() => api.amendCall(conversationId, request)),
    release: (conversationId, request) => ask(() => api.releaseResult(conversationId, request)),
    giveGrant: (conversationId, request) => ask(() => api.giveGrant(conversationId, request)),
    revokeGrant: (conversationId, grantId) => ask(() => api.revokeGrant(conversationId, grantId)),
    loadRows: (conversationId) => ask(() => api.view(conversationId)),
  }
}

async function ask<T>(request: () => Promise<T>): Promise<Result<T, CallFailure>> {
  try {
    return ok(await request())
  } catch (error) {
    if (isApiFailure(error)) {
      const { code, message, headId } = error
      return err({ code, message, retryable: isRetryable(error), ...(headId !== undefined && { headMoved: true }) })
    }
    const message = callSentence('calls.page-broken')
    return err({ code: 'internal', message, retryable: false })
  }
}

interface Failure {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly headId?: string | null
}

const isApiFailure = (error: unknown): error is Failure =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  'status' in error &&
  typeof error.status === 'number'

/** Nothing was refused, only not answered: every write is idempotent, so asking again is safe. */
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
