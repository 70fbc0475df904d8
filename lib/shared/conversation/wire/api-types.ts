import type { Preset, ChatSetup } from '../settings/preset'
import type { Refusal } from '@/lib/base/app-error'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type {
  Attachment,
  CallAmendment,
  CallOutcome,
  CallRecord,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  DecidedBy,
  Grant,
  GrantScope,
  LogEntry,
  Message,
  MessageImage,
  ResultChange,
  UserMessage,
} from '../conversation'
import type { EffectKind, EffectsScope } from '../copy-scopes'
import type { ContextMarks } from '../settings/context-marks'
import type { Outline } from '../outline'
import type { McpTool, ToolServer, ToolSetRef } from '../settings/tool-server'
import type { RegisteredTool } from '../settings/registered-tool'
import type { ChatsChange, TagCount } from '../search/list-filter'
import type { SkillLine } from '@/lib/protocols/prompt/skill-lines'
import type { TabWriter } from './tab-run'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ModelInfo } from '@/lib/shared/models/model'

/* The bodies and answers of the HTTP API, as types that both sides share. All routes: docs/generated/http-api.md. */

export interface ApiError {
  readonly error: {
    /** How it is handled. */
    readonly code: string
    /** What is said of it: by these the page finds its own message (lib/i18n). */
    readonly reason: string
    readonly values: JsonObject
    /** The same in English, for pages that don't know the reason and for whoever asks without one. */
    readonly message: string
    /** With `conflict`: the request took the chat to end elsewhere; it ends here (null: before its first message). */
    readonly headId?: string | null
  }
}

/** What an owner has used of what is shared, and keeps. */
export interface UseView {
  /** Tokens of today: every limit that holds for this owner, in no order. */
  readonly budgets: readonly {
    /** `*`, `provider/*`, or one model. */
    readonly models: string
    /** This owner's alone; else everyone's together. */
    readonly mine: boolean
    readonly limit: number
    readonly left: number
  }[]
  /** When the tokens are counted again, epoch ms. */
  readonly resetsAt: number
  readonly chats: number
  readonly messages: number
  readonly bytes: number
  readonly presets: number
  /** null: any amount. */
  readonly maxBytes: number | null
  /** Chats that nobody touched for so long are deleted; null: never. */
  readonly retentionDays: number | null
}

export interface AllDeleted {
  /** How many chats went. */
  readonly chats: number
}

/** What was answered before, and is shown again while the server can't be reached; by the service worker alone. */
export interface Kept {
  /** When it was answered, in milliseconds; left out: just now. */
  readonly keptAt?: number
}

export interface ConversationsResponse extends Kept {
  readonly conversations: readonly ConversationSummary[]
  /** The `after` of the next page; null, as of a server of before that left it out: there is none. */
  readonly next?: string | null
}

export interface SortChats {
  readonly ids: readonly string[]
  readonly change: ChatsChange
}

export interface ChatsSorted {
  /** Those that are there. */
  readonly changed: readonly string[]
}

export interface TagsResponse {
  readonly tags: readonly TagCount[]
}

export interface CreateConversation {
  /** Made by the client (UUID), so that a retried request creates one conversation. */
  readonly id: string
  readonly settings?: Partial<ConversationSettings>
  /** It is in no list, and is deleted when its page is left, or `temporaryChatMs` after the page was last heard of. */
  readonly temporary?: true
  /** The project that it begins in. */
  readonly project?: string
}

/** So long a temporary chat is kept after its page was last heard of. */
export const temporaryChatMs = 60 * 60_000
/** So often its page says that it is there. */
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
  /** What its models are sent no more, and what stays; null: all of it is sent again. */
  readonly marks?: ContextMarks | null
  /** Of a temporary chat. `open`: its page is there; `keep`: it becomes an ordinary chat. Does nothing to others. */
  readonly temporary?: 'open' | 'keep'
}

export interface ConversationView extends Kept {
  readonly conversation: Conversation
  /** All messages of the tree, oldest first; with `outline` those at the end of the branch that is shown. */
  readonly messages: readonly Message[]
  /** Which messages there are; left out: `messages` are all of them. */
  readonly outline?: Outline
  /** With `outline`: its line in the list. */
  readonly summary?: ConversationSummary
  /** With `outline`: what the page must know of calls that are not in `calls`. */
  readonly others?: OtherCalls
  /** With `outline`, and so amendments: those of `messages`. */
  readonly calls: readonly CallRecord[]
  readonly amendments: readonly CallAmendment[]
  /** Also revoked ones, oldest first. */
  readonly grants: readonly Grant[]
  /** What it has besides the built-in tools, by name; left out: nothing. */
  readonly tools?: readonly RegisteredTool[]
  /** Sets of tools of servers that it uses; to a page without their tools, which it loads once by their hash. */
  readonly toolSets?: readonly ToolSetRef[]
  /** The run that is being written now, to be joined at `after=0`. */
  readonly activeRunId: string | null
}

export interface ToolServersResponse {
  readonly servers: readonly ToolServer[]
  /** Names of the servers that the operator runs, whether this owner uses them or not. */
  readonly operator: readonly string[]
}

export interface ToolSetResponse {
  readonly tools: readonly McpTool[]
}

/** What a chat has besides the built-in tools: its own, and the sets that it uses of servers. */
export interface ToolsOfChat {
  readonly tools: readonly RegisteredTool[]
  readonly toolSets: readonly ToolSetRef[]
}

/** Calls of messages that are not sent along. */
export interface OtherCalls {
  /** One of them ran, so that there may be files of it. */
  readonly ran: boolean
  /** Those that failed, by message and tool. */
  readonly failed: readonly Pick<CallRecord, 'messageId' | 'name'>[]
}

/** Some messages of a conversation with all that is known of their calls. */
export type MessagesPage = Pick<ConversationView, 'messages' | 'calls' | 'amendments' | 'grants'>

/** Messages that are deleted or restored at once: more than the replies of any turn. */
export const maxDeletedMessages = 200

/** What deleted or restored messages changed, and where the chat ends now. */
export type ChangedMessagesPage = MessagesPage & { readonly headId: string | null }

/** What writes a reply, and how it writes calls. */
export type ReplyChoice = Pick<ConversationSettings, 'model' | 'strategy'>

/** The one typed thing that a client can append. `id` is made by the client; the same id twice is the same request. */
export type Append =
  | {
      readonly kind: 'user'
      readonly id: string
      /**
       * The message it answers; null starts a conversation (or a new first branch). It is the head that the client saw: when
       * the chat ends elsewhere by now, the append is refused (`conflict` with `headId`), so that no branch is made that nobody
       * asked for.
       */
      readonly parentId: string | null
      /**
       * Where it goes when it is not to go on from the head. `edit`: beside the message that it edits, so with the old parent.
       * `back`: at an earlier message to which the person went, whatever stands behind it. `leaf`: at the end of another branch,
       * refused as above when that is no end any more.
       */
      readonly branch?: 'edit' | 'back' | 'leaf'
      /** May be empty when files come with it. */
      readonly text: string
      readonly attachments?: readonly AttachmentToSend[]
      /** Instead of `attachments`: those of this message of yours, with their pictures. Editing keeps them. */
      readonly keepAttachmentsOf?: string
    }
  /**
   * Takes the stored outcomes of all live calls of `parentId` to the model; refused while one is open, and (`conflict` with
   * `headId`) when the chat does not end at `parentId`.
   */
  | {
      readonly kind: 'tool-results'
      readonly id: string
      readonly parentId: string
      /** Goes on past `maxIterations` rounds without a word from the user: the user said so. */
      readonly continueRounds?: boolean
      /** Pictures of the results that the user lets the model see. */
      readonly attachments?: readonly AttachmentToSend[]
    }
  /** Regenerate or retry: a new reply to the user message `parentId`; appends nothing. */
  | {
      readonly kind: 'reply'
      readonly id: string
      readonly parentId: string
      /** By another model or in another format than the chat's, whose settings stay. */
      readonly as?: ReplyChoice
      /** The end of the chat as the client saw it; another one refuses it (`conflict` with `headId`). Left out: any. */
      readonly head?: string
    }

export type ResultsAppend = Extract<Append, { kind: 'tool-results' }>

/** The server keeps `isImage` only where a picture came along. */
export interface AttachmentToSend extends Attachment {
  readonly image?: Pick<MessageImage, 'mediaType' | 'data'>
}

export interface ChatRequest {
  readonly conversationId: string
  readonly append: Append
  /** Begins the chat with these settings, as `CreateConversation` does, where it does not stand yet. */
  readonly create?: Partial<ConversationSettings>
  /** With `create`: as `CreateConversation` says them. */
  readonly temporary?: true
  readonly project?: string
  /** Names of the chat's own tools that this page can carry out: only these of them are offered to the model. */
  readonly connected?: readonly string[]
  /** Skills in the chat's files whose text the user approved, as this page has them: each is a line of the prompt. */
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
  /** The chat with this at its end; its first message gives it its title. */
  readonly conversation: Conversation
  /** Its line in the list. */
  readonly summary: ConversationSummary
}

export interface DecideCall {
  readonly messageId: string
  readonly slot: number
  /** Must equal the server's own hash of the stored call. */
  readonly callHash: string
  /** `skip`: the user sends what is done and leaves this one out. */
  readonly decision: 'run' | 'deny' | 'skip'
  readonly reason?: string
  /** Left out: a click. What names a rule or a grant is checked by the server and refused (`conflict`) if it doesn't hold. */
  readonly by?: DecidedBy
  /** With `run`: the copy that the call will run on; left out: on the files. Refused (`conflict`) where the chat is elsewhere. */
  readonly copyId?: string
  readonly runnerId: string
  /** 1 at first; 2 and up only after an interrupted attempt, each exactly one more than the stored one. */
  readonly attempt: number
  /**
   * With `run` and attempt 1: the user stopped the calls that were to run before it. Nothing is granted; the row says that it
   * was cancelled, and it may be run by another attempt.
   */
  readonly cancelled?: true
}

export interface DecideCallResponse {
  /** False: someone decided before; `call` is the standing decision. */
  readonly granted: boolean
  readonly call: CallRecord
}

export interface FinishCall {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
  readonly outcome: CallOutcome
  /** The result waits for the user's look whatever the settings say: the browser found secrets in it. */
  readonly hold?: true
}

/** Stop was pressed on a run; `outcome` follows once it stands still. The same again is the same stop. */
/** Sends a granted call to the operator's tool server; what is sent is what the stored call says. */
export interface RelayCall {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
}

export interface StopCall {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
  /** Left out: not known yet. */
  readonly outcome?: CallOutcome
}

/** Why a call was denied, said after the denial. Refused with `call-not-open` once the results were posted. */
export interface ExplainDenial {
  readonly messageId: string
  readonly slot: number
  readonly reason: string
}

/** Refused with `call-not-open` once the results were posted, and when nothing waits. */
export interface ReleaseResult {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly release:
    | { readonly kind: 'sent' | 'withheld'; readonly note: string }
    | {
        readonly kind: 'changed'
        readonly result: JsonValue
        readonly changes: readonly ResultChange[]
        readonly note: string
      }
}

/** Refused with `call-not-open` once the call was decided. Arguments may be wrong: the card then says how. */
export interface AmendCall {
  readonly messageId: string
  readonly slot: number
  /** null takes the amendment back. */
  readonly amendment: { readonly call: CallToWrite | null } | null
}

/** Made from a call that stands in the chat; the server computes its scope itself. */
export interface GiveCallGrant {
  readonly id: string
  readonly messageId: string
  readonly slot: number
  readonly callHash: string
  /** `copy`: the chat works on a copy from now on; where it does already, that grant is given back. */
  readonly kind: GrantScope['kind'] | 'copy'
  /** With `copy`: the grant of the kind `effects` that begins it; left out: a click. */
  readonly under?: string
}

/** Given after the changes of a copy were kept. */
export interface GiveEffectsGrant extends EffectsScope {
  readonly id: string
  /** The copy whose changes the user kept. */
  readonly copyId: string
  /** Epoch milliseconds; null: as long as the chat. */
  readonly until: number | null
}

export type GiveGrant = GiveCallGrant | GiveEffectsGrant

/** One path that a copy changes, as the browser recorded it. The server never sees contents. */
export interface CopyEffect {
  readonly path: string
  readonly change: EffectKind
  /** With `moved`. */
  readonly from?: string
  /** Bytes after the change; of a deleted file, before it. */
  readonly size: number
}

/** Asks that the grant under which a copy began keeps its changes. Refused (`conflict`) where they go beyond it. */
export interface AllowCopy {
  readonly kind: 'allow'
  readonly effects: readonly CopyEffect[]
}

/** Everything of one conversation but its files, which only the browser has. */
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
  /** What it had besides the built-in tools; left out: nothing. */
  readonly tools?: readonly RegisteredTool[]
  /** Pictures of attachments; left out: none. */
  readonly images?: readonly MessageImage[]
  /** By which it was kept in order; left out: none. */
  readonly tags?: readonly string[]
}

/** `id`, of the new conversation, is made by the client; the same id twice is the same import. */
export interface ImportConversation {
  readonly id: string
  readonly export: ConversationExport
  /** What else than title, messages and call format the person lets in; left out: nothing. */
  readonly take?: readonly ImportPart[]
}

/** `next` is the `after` of the next page; null: there is none. */
export interface LogPage {
  readonly entries: readonly LogEntry[]
  readonly next: number | null
}

/** Settings that a chat brings along, asked for one by one. */
export type ImportPart = 'systemPrompt' | 'model' | 'tools' | 'limits'

export interface ModelsResponse extends Kept {
  readonly models: readonly ModelInfo[]
  readonly defaultModel: string
  /** Sources that did not answer, each a sentence in English. */
  readonly problems: readonly string[]
  /** The same, to be said to the reader; left out: by a server of before. */
  readonly problemsTold?: readonly Refusal[]
  /** Where models of the browser may be asked, as sources of a policy; none: nowhere. Left out: not known. */
  readonly browserHosts?: readonly string[]
  /** What new chats of whoever asks begin with; left out or null: with what Nod gives them. */
  readonly newChats?: ChatSetup | null
  /** The owner has tool servers: their tools go along with messages. */
  readonly hasToolServers?: boolean
}

export interface PresetsResponse {
  /** In their order. */
  readonly presets: readonly Preset[]
}
