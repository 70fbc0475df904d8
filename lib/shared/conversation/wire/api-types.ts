import type { Preset, ChatSetup } from '../settings/preset'
import type { Refusal } from '@/lib/base/app-error'
import type { JsonObject } from '@/lib/base/json'
import type {
  Attachment,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  LogEntry,
  Message,
  MessageImage,
  UserMessage,
} from '../conversation'
import type { CallAmendment, CallRecord, Grant } from '../call-record'
import type { ContextMarks } from '../settings/context-marks'
import type { Outline } from '../outline'
import type { McpTool, ToolServer, ToolSetRef } from '../settings/tool-server'
import type { RegisteredTool } from '../settings/registered-tool'
import type { ChatsChange, TagCount } from '../search/list-filter'
import type { SkillLine } from '@/lib/protocols/prompt/skill-lines'
import type { TabWriter } from './tab-run'
import type { ModelInfo } from '@/lib/shared/models/model'

/*
 * The request and response bodies of the HTTP API, as types that both sides share. All routes:
 * docs/generated/http-api.md.
 */

export interface ApiError {
  readonly error: {
    /** How it is handled. */
    readonly code: string
    /** The key and values by which the page finds its own message (lib/i18n). */
    readonly reason: string
    readonly values: JsonObject
    /** The same in English, for pages that don't know the reason and for other clients. */
    readonly message: string
    /**
     * With `conflict`: the chat's current head (null: before its first message), which differs from the one in the
     * request.
     */
    readonly headId?: string | null
  }
}

/** An owner's use of shared resources, and their stored data. */
export interface UseView {
  /** Today's tokens: every limit that applies to this owner, in no order. */
  readonly budgets: readonly {
    /** `*`, `provider/*`, or one model. */
    readonly models: string
    /** For this owner only; else for everyone together. */
    readonly mine: boolean
    readonly limit: number
    readonly left: number
  }[]
  /** When the counter is reset, epoch ms. */
  readonly resetsAt: number
  readonly chats: number
  readonly messages: number
  readonly bytes: number
  readonly presets: number
  /** Null: any amount. */
  readonly maxBytes: number | null
  /** Chats are deleted after this long without a change; null: never. */
  readonly retentionDays: number | null
}

export interface AllDeleted {
  /** How many chats were deleted. */
  readonly chats: number
}

/** An earlier response that the service worker returns while the server can't be reached. */
export interface Kept {
  /** When it was given, in milliseconds; left out: just now. */
  readonly keptAt?: number
}

export interface ConversationsResponse extends Kept {
  readonly conversations: readonly ConversationSummary[]
  /** The `after` of the next page; null, or left out by an older server: there is none. */
  readonly next?: string | null
}

export interface SortChats {
  readonly ids: readonly string[]
  readonly change: ChatsChange
}

export interface ChatsSorted {
  /** Those that exist. */
  readonly changed: readonly string[]
}

export interface TagsResponse {
  readonly tags: readonly TagCount[]
}

export interface CreateConversation {
  /** Created by the client (UUID), so that a retried request creates one conversation. */
  readonly id: string
  readonly settings?: Partial<ConversationSettings>
  /**
   * It is in no list, and is deleted when its page is left, or `temporaryChatMs` after the page's last sign of life.
   */
  readonly temporary?: true
  /** The project in which it begins. */
  readonly project?: string
}

/** How long a temporary chat is kept after its page's last sign of life. */
export const temporaryChatMs = 60 * 60_000

/** How often its page reports that it is open. */
export const temporaryPulseMs = 10 * 60_000

export interface PatchConversation {
  readonly title?: string
  readonly settings?: ConversationSettings
  /**
   * Shows another branch: any message of this conversation; the server moves on to the newest leaf below it. With
   * `headStays` it stays at that message (null: before the first one), so that the next message begins a branch there.
   */
  readonly headId?: string | null
  readonly headStays?: true
  /** Which messages its models no longer get, and which are always sent; null: all of it is sent again. */
  readonly marks?: ContextMarks | null
  /** For a temporary chat. `open`: its page is open; `keep`: it becomes an ordinary chat. No effect on others. */
  readonly temporary?: 'open' | 'keep'
}

/** The runs that are being written in a chat. */
export const runsIn = ({ activeRunId, sideRunIds = [] }: Pick<ConversationView, 'activeRunId' | 'sideRunIds'>) => [
  ...new Set([...(activeRunId === null ? [] : [activeRunId]), ...sideRunIds]),
]

export interface ConversationView extends Kept {
  readonly conversation: Conversation
  /** All messages of the tree, oldest first; with `outline` only those at the end of the shown branch. */
  readonly messages: readonly Message[]
  /** Which messages exist; left out: `messages` are all of them. */
  readonly outline?: Outline
  /** With `outline`: its list entry. */
  readonly summary?: ConversationSummary
  /** With `outline`: what the page must know of calls that are not in `calls`. */
  readonly others?: OtherCalls
  /** With `outline`, these and the amendments are only those of `messages`. */
  readonly calls: readonly CallRecord[]
  readonly amendments: readonly CallAmendment[]
  /** Including revoked ones, oldest first. */
  readonly grants: readonly Grant[]
  /** Its tools besides the built-in ones, by name; left out: none. */
  readonly tools?: readonly RegisteredTool[]
  /** The sets of server tools that it uses; for a page without their tools, which it loads once by their hash. */
  readonly toolSets?: readonly ToolSetRef[]
  /** A run that is being written now, to be joined at `after=0`. */
  readonly activeRunId: string | null
  /** The runs of replies that are written side by side; left out: none. `activeRunId` may be one of them. */
  readonly sideRunIds?: readonly string[]
}

export interface ToolServersResponse {
  readonly servers: readonly ToolServer[]
  /** Names of the servers that the operator runs, whether this owner uses them or not. */
  readonly operator: readonly string[]
}

export interface ToolSetResponse {
  readonly tools: readonly McpTool[]
}

/** A chat's tools besides the built-in ones: its own, and the sets that it uses of servers. */
export interface ToolsOfChat {
  readonly tools: readonly RegisteredTool[]
  readonly toolSets: readonly ToolSetRef[]
}

/** Calls of messages that are not included. */
export interface OtherCalls {
  /** One of them ran, so it may have changed files. */
  readonly ran: boolean
  /** Those that failed, by message and tool. */
  readonly failed: readonly Pick<CallRecord, 'messageId' | 'name'>[]
}

/** Some messages of a conversation with everything known about their calls. */
export type MessagesPage = Pick<ConversationView, 'messages' | 'calls' | 'amendments' | 'grants'>

/** The most messages that are deleted or restored at once: more than the replies of any turn. */
export const maxDeletedMessages = 200

/** The changes by deleting or restoring messages, and the chat's current head. */
export type ChangedMessagesPage = MessagesPage & { readonly headId: string | null }

/** The model of a reply, and its call format. */
export type ReplyChoice = Pick<ConversationSettings, 'model' | 'strategy'>

/** The typed request by which a client appends. The client creates `id`; the same id twice is the same request. */
export type Append =
  | {
      readonly kind: 'user'
      readonly id: string
      /**
       * The message it answers; null starts a conversation (or a new first branch). It is the head that the client saw:
       * if the chat's head has changed, the append is refused (`conflict` with `headId`), so that no unintended branch
       * is created.
       */
      readonly parentId: string | null
      /**
       * Where it goes instead of after the head. `edit`: beside the edited message, so with its parent. `back`: at an
       * earlier message to which the user went, whatever follows it. `leaf`: at the end of another branch, refused as
       * above if that is no longer an end.
       */
      readonly branch?: 'edit' | 'back' | 'leaf'
      /** May be empty if there are files. */
      readonly text: string
      readonly attachments?: readonly AttachmentToSend[]
      /** Instead of `attachments`: those of this message of yours, with their images. Editing keeps them. */
      readonly keepAttachmentsOf?: string
      /** Its task runs on a copy of the files. */
      readonly onCopy?: true
    }
  /**
   * Sends the stored outcomes of all live calls of `parentId` to the model; refused while one is open, and (`conflict`
   * with `headId`) if the chat does not end at `parentId`.
   */
  | {
      readonly kind: 'tool-results'
      readonly id: string
      readonly parentId: string
      /** Continues past `maxIterations` rounds without a user message: the user allowed it. */
      readonly continueRounds?: boolean
      /** Images of the results that the user lets the model see. */
      readonly attachments?: readonly AttachmentToSend[]
    }
  /** Regenerate or retry: a new reply to the user message `parentId`; appends nothing. */
  | {
      readonly kind: 'reply'
      readonly id: string
      readonly parentId: string
      /** With another model or in another format than the chat's, whose settings stay. */
      readonly as?: ReplyChoice
      /** Written beside other replies to the same message, at most `maxSides` at once; the chat keeps its head. */
      readonly beside?: true
      /** The chat's head as the client saw it; a different one is refused (`conflict` with `headId`). Left out: any. */
      readonly head?: string
    }

/** How many replies to one message are written, and shown, side by side. */
export const maxSides = 3

export type ResultsAppend = Extract<Append, { kind: 'tool-results' }>

/** The server keeps `isImage` only if an image was included. */
export interface AttachmentToSend extends Attachment {
  readonly image?: Pick<MessageImage, 'mediaType' | 'data'>
}

export interface ChatRequest {
  readonly conversationId: string
  readonly append: Append
  /** Creates the chat with these settings, as `CreateConversation` does, if it does not exist yet. */
  readonly create?: Partial<ConversationSettings>
  /** With `create`: as in `CreateConversation`. */
  readonly temporary?: true
  readonly project?: string
  /** Names of the chat's own tools that this page can run: only these of them are offered to the model. */
  readonly connected?: readonly string[]
  /** Approved skills in the chat's files, as this page has them. Each is a line of the prompt. */
  readonly skills?: readonly SkillLine[]
  /** For a chat with a model of the browser's own (`tab-run.ts`): this tab writes the reply. */
  readonly writer?: TabWriter
}

export interface ChatResponse {
  readonly runId: string
  /** The stored user message; null for `reply`. */
  readonly message: UserMessage | null
  readonly replyId: string
  /** Calls that this append marked as skipped. */
  readonly calls: readonly CallRecord[]
  /** The chat with its new head; its first message sets its title. */
  readonly conversation: Conversation
  /** Its list entry. */
  readonly summary: ConversationSummary
}

/** Everything of one conversation except its files, which only the browser has. */
export interface ConversationExport {
  readonly format: 'nod-conversation'
  /** Only files of this version are imported. */
  readonly version: 2
  readonly exportedAt: number
  readonly conversation: Conversation
  readonly messages: readonly Message[]
  readonly calls: readonly CallRecord[]
  readonly amendments: readonly CallAmendment[]
  readonly grants: readonly Grant[]
  readonly log: readonly LogEntry[]
  /** Its tools besides the built-in ones; left out: none. */
  readonly tools?: readonly RegisteredTool[]
  /** Images of attachments; left out: none. */
  readonly images?: readonly MessageImage[]
  /** Its tags; left out: none. */
  readonly tags?: readonly string[]
}

/** The client creates `id` for the new conversation; the same id twice is the same import. */
export interface ImportConversation {
  readonly id: string
  readonly export: ConversationExport
  /** What the user imports besides title, messages and call format; left out: nothing. */
  readonly take?: readonly ImportPart[]
}

/** `next` is the `after` of the next page; null: there is none. */
export interface LogPage {
  readonly entries: readonly LogEntry[]
  readonly next: number | null
}

/** Settings that a chat brings along; the user is asked about each. */
export type ImportPart = 'systemPrompt' | 'model' | 'tools' | 'limits'

export interface ModelsResponse extends Kept {
  readonly models: readonly ModelInfo[]
  readonly defaultModel: string
  /** Sources that did not answer, each a sentence in English. */
  readonly problems: readonly string[]
  /** The same, to be shown to the reader; left out by an older server. */
  readonly problemsTold?: readonly Refusal[]
  /** Where models of the browser may be reached, as sources of a policy; none: nowhere. Left out: unknown. */
  readonly browserHosts?: readonly string[]
  /** The user's defaults of new chats; left out or null: Nod's defaults. */
  readonly newChats?: ChatSetup | null
  /** The owner has tool servers: their tools are sent with messages. */
  readonly hasToolServers?: boolean
}

export interface PresetsResponse {
  /** In their order. */
  readonly presets: readonly Preset[]
}
