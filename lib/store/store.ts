import type {
  AssistantMessage,
  CallOutcome,
  CallRecord,
  Conversation,
  ConversationSettings,
  Message,
  UserMessage,
} from '@/lib/chat/conversation'
import type { RunEvent } from '@/lib/chat/run-event'

export interface StoredConversation {
  readonly conversation: Conversation
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

/**
 * What a client's append becomes, in ONE transaction: the user message (if any), the calls it closes, the empty reply,
 * its run, the new head. Refuses with AppError: `run-in-progress`, `call-not-open`, `not-found`.
 */
export interface AppendPlan {
  readonly userMessage: UserMessage | null
  /** Rows that this append decides as skipped or marks as posted in `userMessage`. */
  readonly calls: readonly CallRecord[]
  readonly reply: AssistantMessage
}

/**
 * Everything that lasts. Every method that names a conversation also takes the owner and answers as if foreign rows did
 * not exist. One contract suite (`store.contract.ts`) runs on SQLite and PostgreSQL.
 */
export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  listConversations(owner: string, query: string, limit: number): Promise<readonly Conversation[]>
  createConversation(owner: string, conversation: Conversation): Promise<Conversation>
  loadConversation(owner: string, id: string): Promise<StoredConversation | null>
  updateConversation(
    owner: string,
    id: string,
    patch: { title?: string; settings?: ConversationSettings; headId?: string; updatedAt: number },
  ): Promise<Conversation | null>
  deleteConversation(owner: string, id: string): Promise<boolean>

  /** The same `requestId` again gives `{ replayed: true }` and the first answer. */
  append(
    owner: string,
    conversationId: string,
    requestId: string,
    plan: AppendPlan,
    now: number,
  ): Promise<{ readonly replayed: boolean; readonly plan: AppendPlan }>

  /** First decision wins: `granted` false gives the row that stands. */
  decideCall(
    owner: string,
    conversationId: string,
    record: CallRecord,
  ): Promise<{ readonly granted: boolean; readonly call: CallRecord }>
  /** Stores an outcome once, only for the attempt and runner that were granted; a repeat returns the stored row. */
  finishCall(
    owner: string,
    conversationId: string,
    key: { messageId: string; slot: number; attempt: number; runnerId: string },
    outcome: CallOutcome,
    now: number,
  ): Promise<CallRecord | null>

  loadRun(owner: string, runId: string): Promise<RunRow | null>
  /** Appends events (seq given by the writer) and beats the heart. */
  appendRunEvents(runId: string, events: readonly RunEvent[], now: number): Promise<{ readonly stopRequested: boolean }>
  readRunEvents(runId: string, after: number): Promise<readonly RunEvent[]>
  /** Writes the final message and ends the run; false when the run had ended before (the first end stands). */
  endRun(runId: string, message: AssistantMessage, end: RunEvent & { type: 'end' }, now: number): Promise<boolean>
  requestStop(owner: string, runId: string, now: number): Promise<boolean>
  /** Running runs whose heart stopped before `deadline`, for recovery. */
  staleRuns(deadline: number): Promise<readonly RunRow[]>
  /** Deletes events of runs that ended before `before`. */
  pruneRunEvents(before: number): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}
