import type {
  AssistantMessage,
  CallOutcome,
  CallRecord,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  Message,
  ReplyOutcome,
  Usage,
  UserMessage,
} from '@/lib/chat/conversation'
import type { RunEvent } from '@/lib/chat/run-event'
import type { ModelFailure } from '@/lib/models/model'

export interface StoredConversation {
  readonly conversation: Conversation
  /** In order of arrival. */
  readonly messages: readonly Message[]
  readonly calls: readonly CallRecord[]
  readonly activeRunId: string | null
}

export interface RunRow {
  readonly id: string
  readonly conversationId: string
  readonly messageId: string
  readonly status: 'running' | 'ended'
  readonly stopRequested: boolean
  readonly heartbeatAt: number
}

/** How a call's row must look before (null: no row yet) and how it looks after; anything else refuses the append. */
export interface PlannedCall {
  readonly before: CallRecord | null
  readonly after: CallRecord
}

/**
 * What a client's append becomes, in ONE transaction: the user message (if any), the calls it closes, the empty reply,
 * its run with the `start` event, the new head. Refuses with AppError: `run-in-progress`, `call-not-open` (a row of
 * `calls` changed meanwhile), `conflict` (a message id is taken), `not-found`.
 */
export interface AppendPlan {
  readonly userMessage: UserMessage | null
  /** Rows that this append decides as skipped or marks as posted in `userMessage`. */
  readonly calls: readonly PlannedCall[]
  readonly reply: AssistantMessage
  /** Becomes the conversation's title as long as that is empty. */
  readonly title: string
}

export interface AppendAnswer {
  /** True: this request was answered before; nothing was written now. */
  readonly replayed: boolean
  readonly userMessage: UserMessage | null
  readonly reply: AssistantMessage
  readonly calls: readonly CallRecord[]
}

export interface RunEnding {
  readonly outcome: ReplyOutcome
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
  /** Ends the run only if its heart was silent since then: for whoever is not its producer. */
  readonly silentSince?: number
  /** How many calls of the final message can be decided; kept beside the message for the conversation list. */
  readonly countRunnable: (message: AssistantMessage) => number
}

/**
 * Everything that lasts. Every method that names an owner answers as if foreign rows did not exist. Times are epoch
 * milliseconds. One contract suite (`store.contract.ts`) runs on SQLite and PostgreSQL.
 */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** Newest first; `query` is looked for in titles, whatever its case. */
  listConversations(owner: string, query: string, limit: number): Promise<readonly ConversationSummary[]>
  /** The same id again gives the stored row; an id of somebody else's conversation is refused as `not-found`. */
  createConversation(owner: string, conversation: Conversation): Promise<Conversation>
  loadConversation(owner: string, id: string): Promise<StoredConversation | null>
  updateConversation(
    owner: string,
    id: string,
    patch: {
      readonly title?: string
      readonly settings?: ConversationSettings
      readonly headId?: string
      /** Left out when the change should not move the conversation up in the list. */
      readonly updatedAt?: number
    },
  ): Promise<Conversation | null>
  deleteConversation(owner: string, id: string): Promise<boolean>

  /** The answer that a request got before, if it was made before. */
  findAppend(owner: string, conversationId: string, requestId: string): Promise<AppendAnswer | null>
  /** The same `requestId` again gives `replayed: true` and the first answer. */
  append(owner: string, conversationId: string, requestId: string, plan: AppendPlan, now: number): Promise<AppendAnswer>

  /**
   * First decision wins: `granted` false gives the row that stands. Attempt n+1 is granted only over a `run` of attempt
   * n that has no outcome and was not posted.
   */
  decideCall(
    owner: string,
    conversationId: string,
    record: CallRecord,
  ): Promise<{ readonly granted: boolean; readonly call: CallRecord }>
  /** Stores an outcome once, only for the attempt and runner that were granted (else null); a repeat gives the stored row. */
  finishCall(
    owner: string,
    conversationId: string,
    key: {
      readonly messageId: string
      readonly slot: number
      readonly attempt: number
      readonly runnerId: string
    },
    outcome: CallOutcome,
    now: number,
  ): Promise<CallRecord | null>

  loadRun(owner: string, runId: string): Promise<RunRow | null>
  /**
   * Appends events (gapless seq, given by the run's only writer) and beats the heart; the same seq again is dropped.
   * `live` false: the run was ended by someone else or is gone; nothing was written.
   */
  appendRunEvents(
    runId: string,
    events: readonly RunEvent[],
    now: number,
  ): Promise<{ readonly live: boolean; readonly stopRequested: boolean }>
  /** Events above `after`, in order, at most `limit`, together with the run's row as it was then; null for no such run. */
  readRunEvents(
    runId: string,
    after: number,
    limit: number,
  ): Promise<{ readonly run: RunRow; readonly events: readonly RunEvent[] } | null>
  /** The reply as its row stands; final once the run has ended. */
  loadReply(runId: string): Promise<AssistantMessage | null>
  /** Folds the log into the final message, writes it and the `end` event; false when the run had ended before. */
  endRun(runId: string, ending: RunEnding, now: number): Promise<boolean>
  /** True when the run is running; its writer hears of it at its next beat. */
  requestStop(owner: string, runId: string): Promise<boolean>
  /** Running runs whose heart stopped before `deadline`, for recovery. */
  staleRuns(deadline: number): Promise<readonly RunRow[]>
  /** Deletes events of runs that ended before `before`. */
  pruneRunEvents(before: number): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}
