import type {
  CallAmendment,
  CallRecord,
  Conversation,
  Grant,
  ConversationSummary,
  Message,
} from '@/lib/conversation/conversation'
import type { ModelsResponse } from '@/lib/conversation/api-types'
import type { CallOutcome } from '@/lib/conversation/conversation'
import type { OutboxItem } from './outbox'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { FileReview } from '@/lib/tools/tool-runtime'

/** `messageId:slot` */
export type CallKey = `${string}:${number}`
export const callKey = (messageId: string, slot: number): CallKey => `${messageId}:${slot}`

/** A call that runs in this tab, or an outcome that is still on its way to the server. */
export interface LiveCall {
  /** True while it waits for the calls before it in a "Run all"; nothing was decided yet. */
  readonly queued?: boolean
  /** True while as many calls run as may at once: it was granted, and has not begun. `startedAt` is then where it began to wait. */
  readonly waitsForTurn?: boolean
  readonly startedAt: number
  readonly attempt: number
  readonly events: readonly SandboxEvent[]
  /** Set when it ended here and the server has not confirmed yet. */
  readonly outcome: CallOutcome | null
  /** It ran, and what it changed waits for the user's word (`CallActions.answerReview`); nothing has reached the files. */
  readonly review?: FileReview
  /** A sentence when deciding or saving failed; the card offers to try again. */
  readonly problem: string | null
  /**
   * True when it was booked behind a call that failed, and was therefore not started: it waits again, and the batch may
   * be continued (`run` the rest), one left out (`skip`, then `run` the rest), or what is done be sent (`skip` the rest).
   */
  readonly leftOver?: boolean
}

export interface ActiveRun {
  readonly runId: string
  readonly replyId: string
  /** The last event of the run's log that is part of this state. */
  readonly seq: number
  readonly connection: 'live' | 'reconnecting'
  readonly stopping: boolean
}

/** What the last request of this conversation complained about; shown above the composer until the next send. */
export interface Problem {
  readonly message: string
  readonly canRetry: boolean
}

export interface ConversationState {
  readonly id: string
  readonly phase: 'new' | 'loading' | 'ready' | 'missing' | 'failed'
  readonly conversation: Conversation | null
  /** The whole tree by id, in order of arrival. */
  readonly tree: ReadonlyMap<string, Message>
  /** Root → head. Row objects keep their identity while they do not change. */
  readonly path: readonly Message[]
  readonly run: ActiveRun | null
  /** A send is on its way to the server. */
  readonly sending: boolean
  readonly calls: ReadonlyMap<CallKey, CallRecord>
  readonly live: ReadonlyMap<CallKey, LiveCall>
  /** Message id → the user's amendments of its calls. */
  readonly amendments: ReadonlyMap<string, readonly CallAmendment[]>
  readonly grants: readonly Grant[]
  readonly problem: Problem | null
}

/** The browser's mirror of the server's rows, plus what only this tab knows. */
export interface ClientState {
  readonly conversations: readonly ConversationSummary[] | null
  readonly query: string
  readonly models: ModelsResponse | null
  readonly view: ConversationState
  readonly online: boolean
  /** What was sent in any chat and is not accepted yet, oldest first. */
  readonly outbox: readonly WaitingMessage[]
}

export interface WaitingMessage extends OutboxItem {
  /** This tab has it, or another message of its chat, on its way right now. */
  readonly sending: boolean
}
