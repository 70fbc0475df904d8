import type {
  ChatResponse,
  ConversationView,
  MessagesPage,
  ModelsResponse,
} from '@/lib/shared/conversation/wire/api-types'
import type {
  CallAmendment,
  CallRecord,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  Grant,
  UserMessage,
} from '@/lib/shared/conversation/conversation'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { CallKey, ClientState, Problem, ShownUse } from './state'
import type { LiveCall } from '@/lib/shared/calls/call-state'

/**
 * Everything that can change the browser's state. Events of a conversation carry its id, or a message's: an answer that
 * comes late lands in its own conversation, shown or not, and nowhere when the page has forgotten it.
 */
export type ClientEvent =
  | {
      readonly type: 'conversations-loaded'
      readonly query: string
      readonly conversations: readonly ConversationSummary[]
      readonly next: string | null
      /** They come behind those that are there; left out: they are the first ones. */
      readonly more?: true
    }
  | { readonly type: 'query-changed'; readonly query: string }
  | { readonly type: 'models-loaded'; readonly models: ModelsResponse }
  | { readonly type: 'use-loaded'; readonly use: ShownUse }
  | { readonly type: 'online-changed'; readonly online: boolean }
  /** A conversation that only this tab knows yet; `settings` are kept for the moment it is created. */
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
  /** They stand in the list no more; open they may be. */
  | { readonly type: 'rows-left'; readonly ids: readonly string[] }
  | { readonly type: 'settings-changed'; readonly conversationId: string; readonly settings: ConversationSettings }
  /** `message` is shown at once; null for a reply to a message that stands already. */
  | {
      readonly type: 'send-started'
      readonly conversationId: string
      readonly message: UserMessage | null
      readonly headId: string | null
    }
  | { readonly type: 'send-accepted'; readonly conversationId: string; readonly response: ChatResponse }
  /** `messageId`: the text that was shown and is not sent (now); null: a reply was asked for. */
  | {
      readonly type: 'send-failed'
      readonly conversationId: string
      readonly messageId: string | null
      readonly problem: Problem | null
    }
  | { readonly type: 'outbox-changed'; readonly outbox: ClientState['outbox'] }
  | { readonly type: 'problem-raised'; readonly conversationId: string; readonly problem: Problem }
  | { readonly type: 'problem-dismissed' }
  | { readonly type: 'run-joined'; readonly conversationId: string; readonly runId: string; readonly replyId: string }
  | { readonly type: 'run-queued'; readonly runId: string; readonly place: number | null; readonly isAlive?: boolean }
  /** What a model of this browser does before its first word: "reads the chat: 40 %". */
  | { readonly type: 'run-doing'; readonly runId: string; readonly doing: string }
  | { readonly type: 'run-connection'; readonly runId: string; readonly connection: 'live' | 'reconnecting' }
  | { readonly type: 'run-stopping'; readonly runId: string; readonly stopping: boolean }
  /** A batch of the run's log, in order. `seq` values seen before are dropped by the reducer. */
  | { readonly type: 'run-events'; readonly runId: string; readonly events: readonly RunEvent[] }
  /** The run ended without its end being seen (its log is gone); the view has been or will be loaded again. */
  | { readonly type: 'run-lost'; readonly runId: string }
  | { readonly type: 'branch-switched'; readonly conversationId: string; readonly headId: string }
  /** The chat ends at this message now; null: before the first one. What came after it stays in the tree. */
  | { readonly type: 'head-moved'; readonly conversationId: string; readonly headId: string | null }
  | { readonly type: 'call-recorded'; readonly call: CallRecord }
  /** All amendments of one message, as the server has them now. */
  | {
      readonly type: 'amendments-changed'
      readonly conversationId: string
      readonly messageId: string
      readonly amendments: readonly CallAmendment[]
    }
  | { readonly type: 'grant-changed'; readonly conversationId: string; readonly grant: Grant }
  /** All registered tools of the conversation, as the server has them now. */
  | {
      readonly type: 'tools-changed'
      readonly conversationId: string
      readonly tools: readonly RegisteredTool[]
    }
  | { readonly type: 'call-live'; readonly key: CallKey; readonly live: LiveCall | null }
  /** What keeps the results of a reply here; null: nothing does. */
  | { readonly type: 'results-held'; readonly messageId: string; readonly problem: string | null }
  /** Some messages and all that the server knows of their calls, of whatever device. */
  | ({ readonly type: 'messages-loaded'; readonly conversationId: string } & MessagesPage)
  /** Work begins that needs this conversation, wherever the user goes; `conversation-let-go` when it ends. */
  | { readonly type: 'conversation-held'; readonly conversationId: string }
  | { readonly type: 'conversation-let-go'; readonly conversationId: string }
