import type {
  ChatResponse,
  ConversationView,
  MessagesPage,
  ModelsResponse,
} from '@/lib/shared/conversation/wire/api-types'
import type {
  Conversation,
  ConversationSettings,
  ConversationSummary,
  UserMessage,
} from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { CallKey, ClientState, Problem, ShownUse } from './state'
import type { LiveCall } from '@/lib/shared/calls/call-state'

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
  /** Work begins that needs this conversation, even if the user leaves it; `conversation-let-go` when it ends. */
  | { readonly type: 'conversation-held'; readonly conversationId: string }
  | { readonly type: 'conversation-let-go'; readonly conversationId: string }
