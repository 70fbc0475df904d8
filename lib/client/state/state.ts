import type {
  Conversation,
  ConversationSummary,
  ConversationSettings,
  UserMessage,
} from '@/lib/shared/conversation/conversation'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import type {
  ModelsResponse,
  OtherCalls,
  UseView,
  ChatResponse,
  ConversationView,
  MessagesPage,
} from '@/lib/shared/conversation/wire/api-types'
import type { OutboxItem } from '../outbox/outbox'
import type { CallAmendment, CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
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

/**
 * All events that change the browser's state. Events of a conversation carry its id, or a message's: a late response
 * updates its own conversation, shown or not, and is ignored if the page has forgotten it.
 */
export type ClientEvent =
  | {
      readonly type: 'conversations-loaded'
      readonly query: string
      readonly conversations: readonly ConversationSummary[]
      readonly next: string | null
      /** They follow the loaded ones; left out: they are the first ones. */
      readonly more?: true
    }
  | { readonly type: 'query-changed'; readonly query: string }
  | { readonly type: 'models-loaded'; readonly models: ModelsResponse }
  | { readonly type: 'use-loaded'; readonly use: ShownUse }
  | { readonly type: 'online-changed'; readonly online: boolean }
  /** A conversation that only this tab knows yet; its `settings` are sent when it is created. */
  | { readonly type: 'view-new'; readonly conversation: Conversation }
  | { readonly type: 'view-opened'; readonly conversationId: string }
  | { readonly type: 'view-loaded'; readonly view: ConversationView }
  | {
      readonly type: 'view-failed'
      readonly conversationId: string
      readonly missing: boolean
      readonly message: string
    }
  | { readonly type: 'conversation-changed'; readonly conversation: Conversation }
  | { readonly type: 'conversation-removed'; readonly conversationId: string }
  /** They are no longer in the list, but may be open. */
  | { readonly type: 'rows-left'; readonly ids: readonly string[] }
  | { readonly type: 'settings-changed'; readonly conversationId: string; readonly settings: ConversationSettings }
  /** `message` is shown at once; null for a reply to an existing message. */
  | {
      readonly type: 'send-started'
      readonly conversationId: string
      readonly message: UserMessage | null
      readonly headId: string | null
    }
  | { readonly type: 'send-accepted'; readonly conversationId: string; readonly response: ChatResponse }
  /** `messageId`: the message that was shown and is not sent (now); null: a reply was requested. */
  | {
      readonly type: 'send-failed'
      readonly conversationId: string
      readonly messageId: string | null
      readonly problem: Problem | null
    }
  | { readonly type: 'outbox-changed'; readonly outbox: ClientState['outbox'] }
  | { readonly type: 'problem-raised'; readonly conversationId: string; readonly problem: Problem }
  | { readonly type: 'problem-dismissed' }
  | {
      readonly type: 'run-joined'
      readonly conversationId: string
      readonly runId: string
      readonly replyId: string
      readonly isSide?: boolean
    }
  | { readonly type: 'run-queued'; readonly runId: string; readonly place: number | null; readonly isAlive?: boolean }
  /** What a browser model does before its first token: "reads the chat: 40 %". */
  | { readonly type: 'run-doing'; readonly runId: string; readonly doing: string }
  | { readonly type: 'run-connection'; readonly runId: string; readonly connection: 'live' | 'reconnecting' }
  | { readonly type: 'run-stopping'; readonly runId: string; readonly stopping: boolean }
  /** A batch of the run's log, in order. The reducer drops `seq` values seen before. */
  | { readonly type: 'run-events'; readonly runId: string; readonly events: readonly RunEvent[] }
  /** The run ended without a visible end (its log is gone); the view has been or will be loaded again. */
  | { readonly type: 'run-lost'; readonly runId: string }
  | { readonly type: 'branch-switched'; readonly conversationId: string; readonly headId: string }
  /** The chat now ends at this message; null: before the first one. Later messages stay in the tree. */
  | { readonly type: 'head-moved'; readonly conversationId: string; readonly headId: string | null }
  | { readonly type: 'call-recorded'; readonly call: CallRecord }
  /** All current amendments of one message, from the server. */
  | {
      readonly type: 'amendments-changed'
      readonly conversationId: string
      readonly messageId: string
      readonly amendments: readonly CallAmendment[]
    }
  | { readonly type: 'grant-changed'; readonly conversationId: string; readonly grant: Grant }
  /** All current registered tools of the conversation, from the server. */
  | {
      readonly type: 'tools-changed'
      readonly conversationId: string
      readonly tools: readonly RegisteredTool[]
    }
  | { readonly type: 'call-live'; readonly key: CallKey; readonly live: LiveCall | null }
  /** What holds back the results of a reply; null: nothing does. */
  | { readonly type: 'results-held'; readonly messageId: string; readonly problem: string | null }
  /** Some messages and everything that the server knows of their calls, from any device. */
  | ({ readonly type: 'messages-loaded'; readonly conversationId: string } & MessagesPage)
  /** Work begins that needs this conversation, even if the user leaves it; `conversation-released` when it ends. */
  | { readonly type: 'conversation-held'; readonly conversationId: string }
  | { readonly type: 'conversation-released'; readonly conversationId: string }
