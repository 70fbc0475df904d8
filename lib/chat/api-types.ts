import type {
  CallOutcome,
  CallRecord,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  Message,
  UserMessage,
} from './conversation'
import type { ModelInfo } from '@/lib/models/model'

/*
 * The HTTP surface, as types both sides share. Errors of every route: status 4xx/5xx and `ApiError`.
 *
 *   GET    /api/conversations?q=TEXT        → ConversationsResponse   newest first
 *   POST   /api/conversations               CreateConversation → { conversation }        idempotent by id
 *   GET    /api/conversations/:id           → ConversationView
 *   PATCH  /api/conversations/:id           PatchConversation → { conversation }
 *   DELETE /api/conversations/:id           → 204
 *   POST   /api/chat                        ChatRequest → ChatResponse
 *   GET    /api/runs/:id/events?after=SEQ   → NDJSON of RunEvent, ends after `end`
 *   POST   /api/runs/:id/stop               → 204
 *   POST   /api/conversations/:id/calls     DecideCall → DecideCallResponse
 *   PUT    /api/conversations/:id/calls     FinishCall → { call: CallRecord }
 *   GET    /api/models                      → ModelsResponse
 *   GET    /api/health                      → { status: 'ok', store: 'sqlite' | 'postgres' }
 */

export interface ApiError {
  readonly error: { readonly code: string; readonly message: string }
}

export interface ConversationsResponse {
  readonly conversations: readonly ConversationSummary[]
}

export interface CreateConversation {
  /** Made by the client (UUID), so that a retried request creates one conversation. */
  readonly id: string
  readonly settings?: Partial<ConversationSettings>
}

export interface PatchConversation {
  readonly title?: string
  readonly settings?: ConversationSettings
  /** Shows another branch: any message of this conversation; the server moves on to the newest leaf below it. */
  readonly headId?: string
}

export interface ConversationView {
  readonly conversation: Conversation
  /** All messages of the tree, oldest first. */
  readonly messages: readonly Message[]
  readonly calls: readonly CallRecord[]
  /** The run that is being written now, to be joined at `after=0`. */
  readonly activeRunId: string | null
}

/** The one typed thing that a client can append. `id` is made by the client; the same id twice is the same request. */
export type Append =
  | {
      readonly kind: 'user'
      readonly id: string
      /** The message it answers; null starts a conversation (or a new first branch). Editing = the old parent. */
      readonly parentId: string | null
      readonly text: string
    }
  /** Takes the stored outcomes of all live calls of `parentId` to the model; refused while one is open. */
  | {
      readonly kind: 'tool-results'
      readonly id: string
      readonly parentId: string
      /** Goes on past `maxIterations` rounds without a word from the user: the user said so. */
      readonly continueRounds?: boolean
    }
  /** Regenerate or retry: a new reply to the user message `parentId`; appends nothing. */
  | { readonly kind: 'reply'; readonly id: string; readonly parentId: string }

export interface ChatRequest {
  readonly conversationId: string
  readonly append: Append
}

export interface ChatResponse {
  readonly runId: string
  /** The stored user message; null for `reply`. */
  readonly message: UserMessage | null
  readonly replyId: string
  /** Calls that this append marked as skipped. */
  readonly calls: readonly CallRecord[]
}

export interface DecideCall {
  readonly messageId: string
  readonly slot: number
  /** Must equal the server's own hash of the stored call. */
  readonly callHash: string
  readonly decision: 'run' | 'deny'
  readonly reason?: string
  readonly runnerId: string
  /** 1 at first; 2 and up only after an interrupted attempt, each exactly one more than the stored one. */
  readonly attempt: number
}

export interface DecideCallResponse {
  /** False: somebody decided before; `call` is the standing decision. */
  readonly granted: boolean
  readonly call: CallRecord
}

export interface FinishCall {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
  readonly outcome: CallOutcome
}

export interface ModelsResponse {
  readonly models: readonly ModelInfo[]
  readonly defaultModel: string
  /** Sources that did not answer, each a sentence. */
  readonly problems: readonly string[]
}
