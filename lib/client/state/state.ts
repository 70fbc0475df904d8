import type { Conversation, ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { ModelsResponse, OtherCalls, UseView } from '@/lib/shared/conversation/wire/api-types'
import type { OutboxItem } from '../outbox/outbox'
import type { LiveCall } from '@/lib/shared/calls/call-state'

/** `messageId:slot` */
export type CallKey = `${string}:${number}`
export const callKey = (messageId: string, slot: number): CallKey => `${messageId}:${slot}`

export interface ActiveRun {
  readonly runId: string
  readonly replyId: string
  /** The last event of the run's log that is part of this state. */
  readonly seq: number
  readonly connection: 'live' | 'reconnecting'
  /** The place in the queue while it waits there: from 1; 0 while unknown. */
  readonly place?: number | null
  /** The model's server has answered, though maybe without text yet. */
  readonly isAlive?: boolean
  /** What its model does before its first token, if this tab knows it. */
  readonly doing?: string | null
  readonly stopping: boolean
  /** Its reply is written beside others, and is not the end of the shown branch. */
  readonly isSide?: true
}

/** The failure of this conversation's last request; shown above the composer until the next send. */
export interface Problem {
  readonly message: string
  readonly canRetry: boolean
}

export interface ConversationState {
  readonly id: string
  readonly phase: 'new' | 'loading' | 'ready' | 'missing' | 'failed'
  readonly conversation: Conversation | null
  /** The whole tree by id, in order of arrival; a message that was not viewed is a placeholder. */
  readonly tree: ReadonlyMap<string, ChatRow>
  /** Root → head. Row objects keep their identity while they do not change. */
  readonly path: readonly ChatRow[]
  /** Messages that were loaded before the last load of the chat: their content is requested again where it matters. */
  readonly aged: ReadonlySet<string>
  /** The calls of messages that are not loaded. */
  readonly others: OtherCalls
  /** Not null while any reply of the chat is being written. */
  readonly run: ActiveRun | null
  /** The other replies that are written at the same time. */
  readonly sides: readonly ActiveRun[]
  /** A send is pending. */
  readonly sending: boolean
  readonly calls: ReadonlyMap<CallKey, CallRecord>
  readonly live: ReadonlyMap<CallKey, LiveCall>
  /** Message id → a sentence that says what holds back the results of the whole reply. */
  readonly heldBack: ReadonlyMap<string, string>
  /** Message id → the user's amendments of its calls. */
  readonly amendments: ReadonlyMap<string, readonly CallAmendment[]>
  readonly grants: readonly Grant[]
  /** Its tools besides the built-in ones. The same array while they do not change. */
  readonly tools: readonly RegisteredTool[]
  readonly problem: Problem | null
  /**
   * When the response was stored that this was read from while the server is away, in epoch milliseconds. Null: it is
   * current.
   */
  readonly keptAt: number | null
  /** How many tasks of this page need it, shown or not. */
  readonly held: number
}

/** The browser's mirror of the server's rows, plus what only this tab knows. */
export interface ClientState {
  /** The first pages of the list, newest first. */
  readonly conversations: readonly ConversationSummary[] | null
  /** The search with which they were loaded, and where the list continues; `next` null: nowhere. */
  readonly listed: { readonly query: string; readonly next: string | null }
  readonly query: string
  readonly models: ModelsResponse | null
  /**
   * The conversations that this page has open, by id: the shown one, and those that were left while one of their calls
   * ran or waited in this tab. Others are forgotten when they are left, or when their last work ends unseen.
   */
  readonly open: ReadonlyMap<string, ConversationState>
  readonly shownId: string
  readonly online: boolean
  /** Null: not requested yet, as long as nobody uses the page. */
  readonly use: ShownUse | null
  /** Messages sent in any chat and not accepted yet, oldest first. */
  readonly outbox: readonly WaitingMessage[]
}

/** The remaining daily allowance and how long chats are kept, as the page shows them. */
export interface ShownUse extends UseView {
  /** A sentence for each limit that applies. */
  readonly lines: readonly string[]
}

export interface WaitingMessage extends OutboxItem {
  /** This tab is sending it, or another message of its chat. */
  readonly sending: boolean
  /** The server's response to this tab's last try, which was temporary. */
  readonly why?: string
}

export const emptyView: ConversationState = {
  id: '',
  phase: 'loading',
  conversation: null,
  tree: new Map(),
  path: [],
  aged: new Set(),
  others: { ran: false, failed: [] },
  run: null,
  sides: [],
  sending: false,
  calls: new Map(),
  live: new Map(),
  heldBack: new Map(),
  amendments: new Map(),
  grants: [],
  tools: [],
  problem: null,
  keptAt: null,
  held: 0,
}

/** The state that the server renders and the browser starts from. */
export const initialState: ClientState = {
  conversations: null,
  listed: { query: '', next: null },
  query: '',
  models: null,
  open: new Map([[emptyView.id, emptyView]]),
  shownId: emptyView.id,
  online: true,
  use: null,
  outbox: [],
}
