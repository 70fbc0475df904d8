import type { Result } from '@/lib/base/result'
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
import type {
  AssistantMessage,
  CallAmendment,
  CallRecord,
  Grant,
  ToolCallConfig,
} from '@/lib/conversation/conversation'
import type { ClientEvent } from '@/lib/client/events'
import type { ClientState } from '@/lib/client/state'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'
import type { MessageCall } from '@/lib/calls/message-calls'

/** Why the server did not do it: a sentence, and whether the same request may succeed later (offline, 5xx, 429). */
export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  /** The chat ends elsewhere than the request took it to. */
  readonly headMoved?: boolean
}

/** Of a whole conversation. */
export type CallRows = Pick<ConversationView, 'calls' | 'amendments' | 'grants'>

/** The server's side of a call. Never rejects. */
export interface CallServer {
  decide(conversationId: string, request: DecideCall): Promise<Result<DecideCallResponse, CallFailure>>
  finish(conversationId: string, request: FinishCall): Promise<Result<CallRecord, CallFailure>>
  stop(conversationId: string, request: StopCall): Promise<Result<CallRecord, CallFailure>>
  amend(conversationId: string, request: AmendCall): Promise<Result<readonly CallAmendment[], CallFailure>>
  release(conversationId: string, request: ReleaseResult): Promise<Result<CallRecord, CallFailure>>
  giveGrant(conversationId: string, request: GiveGrant): Promise<Result<Grant, CallFailure>>
  revokeGrant(conversationId: string, grantId: string): Promise<Result<Grant, CallFailure>>
  /** Posts an append of kind `tool-results`. */
  sendResults(conversationId: string, append: ResultsAppend): Promise<Result<ChatResponse, CallFailure>>
  /** What the server knows of a conversation's calls now. */
  loadRows(conversationId: string): Promise<Result<CallRows, CallFailure>>
}

/** Locks that all tabs of this browser share and that end with the tab that holds them. */
export interface CallLocks {
  /** Does the work while holding the lock; `held: false` at once when another holder has it. */
  tryHold<T>(
    name: string,
    work: () => Promise<T>,
  ): Promise<{ readonly held: true; readonly value: T } | { readonly held: false }>
  isHeld(name: string): Promise<boolean>
  /** Resolves when nobody holds the lock, or when the signal aborts. */
  whenFree(name: string, signal: AbortSignal): Promise<void>
}

export interface CallControllerPorts {
  /** Unique to this page load; never kept over a reload. */
  readonly runnerId: string
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly getState: () => ClientState
  readonly dispatch: (
    event: Extract<
      ClientEvent,
      { type: 'call-recorded' | 'call-live' | 'results-held' | 'amendments-changed' | 'grant-changed' }
    >,
  ) => void
  readonly newId: () => string
  /** The calls of a finished reply as they stand, with what the user amended. */
  readonly readCalls: (
    message: AssistantMessage,
    config: ToolCallConfig,
    amendments: readonly CallAmendment[],
  ) => readonly MessageCall[]
  readonly server: CallServer
  readonly locks: CallLocks
  /** May reject; nothing has been decided then. */
  readonly runtime: (conversationId: string) => Promise<ToolRuntime>
  /** Follows the run that answers the results, if its conversation is still in view. */
  readonly joinRun: (conversationId: string, response: ChatResponse) => void
}

/** The Web Lock of a call, held from before the decision until its outcome is stored. */
export const callLockName = (messageId: string, slot: number): string => `nod:call:${messageId}:${slot}`
