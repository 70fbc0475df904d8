import type { CopyEnd } from './copy-scopes'
import type { TextEncodingName } from '@/lib/base/text/encoding-names'
import type { JsonObject } from '@/lib/base/json'
import type { ContextMarks } from './settings/context-marks'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import type { ModelFailure, ModelId } from '@/lib/shared/models/model'
import type { ToolResult } from './call-record'

/** Settings of one conversation. Stored with `version`; decoded and migrated by `settings.ts`. */
export interface ConversationSettings {
  readonly version: 4
  readonly model: ModelId
  readonly strategy: StrategyId
  /** `{{tools}}` marks the place of the tool block; without it the block is at the end. */
  readonly systemPrompt: string
  readonly tools: ToolCallConfig
  /** Whether the server is asked to constrain replies to the strategy's format. Left out: the default for the model. */
  readonly exact?: boolean
  /** Whether models see images, as set by the user. Models that are not listed: as their servers report. */
  readonly images?: Readonly<Record<ModelId, boolean>>
}

/** When the user must decide: each time, only after a call of that tool failed in this chat, or never. */
export type ApprovalRule = 'always' | 'on-error' | 'never'

/** A conversation's rules that override a tool's own. */
export interface ToolRules {
  /** Before a call runs. Values other than `always` count in mode `auto` only, and never for a sensitive tool. */
  readonly execution?: ApprovalRule
  /** Before its result is sent to the model. */
  readonly result?: ApprovalRule
}

/** Which tools are offered and how calls run, per conversation. Defaults: `defaultToolConfig`. */
export interface ToolCallConfig {
  readonly enabled: boolean
  /** `manual`: every call waits for a click. `auto`: calls whose rule allows it run automatically in an open tab. */
  readonly mode: 'manual' | 'auto'
  /** Every call waits for a click, whatever `mode`, rules and grants say. */
  readonly requireConfirmation: boolean
  /** How long a grant is valid, milliseconds from when it was given; null: as long as the conversation. */
  readonly grantLifetimeMs: number | null
  /** Tool name → offered; missing names follow `defaultToolEnabled`. */
  readonly toolToggles: Readonly<Record<string, boolean>>
  readonly defaultToolEnabled: boolean
  /** Tool name → rules; missing names follow the tool's own. */
  readonly toolRules: Readonly<Record<string, ToolRules>>
  /** Which results wait for review, if no rule of a tool says so already. */
  readonly resultGate: 'always' | 'large-or-failed' | 'never'
  /** Rounds of tool results without a user message. */
  readonly maxIterations: number
  /** How many calls of one reply may run; the rest get an error. */
  readonly maxCallsPerReply: number
  /** Per call, milliseconds. */
  readonly timeoutMs: number
  /** Calls that are started together run in parallel instead of in sequence. */
  readonly parallelExecution: boolean
  /** What happens to files that code changed: they are kept at once, or the user is asked after the run. */
  readonly codeChanges: 'keep' | 'ask'
  /** Where the chat asks: in the card, or in a dialog over the chat. */
  readonly approvalUi: 'inline' | 'dialog'
}

export interface Conversation {
  readonly id: string
  readonly title: string
  readonly settings: ConversationSettings
  /** The stored settings could not be read, and defaults replace them. */
  readonly settingsProblem: 'damaged' | null
  /** The message at the end of the shown branch. */
  readonly headId: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** When it was imported from a file; left out: it was created here. */
  readonly importedAt?: number
  /** Which messages its models no longer get, and which are always sent; left out: nothing was decided. */
  readonly marks?: ContextMarks
  /** It is in no list, and is deleted when its page is left. */
  readonly temporary?: true
  /** Its project; left out: none. */
  readonly project?: string
}

export interface ConversationSummary {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  /** A reply is being written, or waits in the queue. */
  readonly running: boolean
  /** It still waits in the queue. */
  readonly queued?: true
  /** A person brings it from another chat. */
  readonly pasted?: true
  /** Undecided live calls of the head message. */
  readonly waitingCalls: number
  /** It is at the top of the list. Left out: it is not. */
  readonly pinned?: true
  /** It is archived. Left out: it is not. */
  readonly archived?: true
  /** By name; left out: none. */
  readonly tags?: readonly string[]
  /** Its project; left out: none. */
  readonly project?: string
}

/** How a reply ended; null while it is being written. Only `finished` means "complete". */
export type ReplyOutcome = 'finished' | 'stopped' | 'failed' | 'length' | 'interrupted'

export interface Usage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** The part of `inputTokens` that came from the provider's cache. Left out: unknown. */
  readonly cachedInputTokens?: number
}

interface MessageBase {
  readonly id: string
  readonly conversationId: string
  readonly parentId: string | null
  readonly createdAt: number
  /** Its row can't be read. `whole`: this is a replacement; `part`: some of its text is lost. Left out: it is fine. */
  readonly unreadable?: 'whole' | 'part'
  /** The user deleted it: only its place is left (`deleted-message.ts`). */
  readonly deleted?: true
}

export interface UserMessage extends MessageBase {
  readonly role: 'user'
  /** The user's text; '' in a message that only sends results. */
  readonly text: string
  /** Results of the parent assistant message's calls, in slot order; also on a text message that skipped calls. */
  readonly results: readonly ToolResult[]
  /** Left out: none. */
  readonly attachments?: readonly Attachment[]
  /**
   * Outcomes of earlier replies' calls that the model got as `unfinished`; each is sent once in a branch. Left out:
   * none.
   */
  readonly late?: readonly ToolResult[]
  /** The end of a copy of the files since the previous reply; left out: no copy ended. */
  readonly copyEnd?: CopyEnd
  /** The user chose it with the message: its task runs on a copy of the files. */
  readonly onCopy?: true
}

/** The messages that a model did not get, because the chat was longer than its context window. */
export interface TrimmedPrompt {
  /** How many of the messages before the reply. */
  readonly messages: number
  /** The context window as it was known then. */
  readonly windowTokens: number
  /** The window was unknown: this is the most that is sent. */
  readonly assumed?: true
}

/** The speed of a reply, in milliseconds since the request to its model. */
export interface ReplyPace {
  /** Until its first token, reasoning included. */
  readonly firstMs: number
  /** Until its end. */
  readonly ms: number
}

/** How far the server that wrote a reply constrained it to the format of its strategy. */
export interface ExactOfReply {
  /**
   * `honoured`: it was requested from a server that is known to enforce it, and the reply complies. `asked`: unknown
   * whether it was enforced. `broken`: the reply does not comply. `ignored`, `refused`: the server ignores or refuses
   * it, so the reply was written without; only said if the branch did not say so before.
   */
  readonly is: 'honoured' | 'asked' | 'broken' | 'ignored' | 'refused'
  /** The request field that was used (`lib/shared/models/exact`). */
  readonly form: string
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant'
  readonly text: string
  /** Reasoning that the provider sent separately; never read for calls. */
  readonly reasoning: string
  /** The strategy and model that wrote the message. */
  readonly strategy: StrategyId
  /** False if the conversation's tools were off: the text is not read for calls. */
  readonly toolsEnabled: boolean
  readonly model: ModelId
  readonly outcome: ReplyOutcome | null
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
  readonly runId: string
  /** Left out: the model got the whole branch. */
  readonly trimmed?: TrimmedPrompt
  /**
   * `whole`: the model was asked to write one JSON value, enforced by a JSON schema, in which prose is JSON too. The
   * reply is parsed so if it is one, else by its strategy. Left out: by its strategy.
   */
  readonly reading?: 'whole'
  /** Left out: it was not requested. */
  readonly exact?: ExactOfReply
  /**
   * The duration of each thought in milliseconds: first the separate reasoning, then each one in the text, in order.
   * Left out: not measured.
   */
  readonly thoughtMs?: readonly number[]
  /** Left out: not measured, or there was no text. */
  readonly pace?: ReplyPace
  /** The estimated tokens of the prompt; compare with `usage.inputTokens`. Left out: not counted. */
  readonly promptTokens?: number
  /**
   * Hashes of what the model got (`lib/shared/record/record-chain.ts`). Left out: a tab asked its own model, or they
   * were not stored.
   */
  readonly sent?: { readonly prompt: string; readonly tools: string }
}

export type Message = UserMessage | AssistantMessage

/** One entry of the conversation's log: every decision, run, change and sending. */
export interface LogEntry {
  /** 1, 2, 3 … without gaps in one conversation. */
  readonly seq: number
  readonly at: number
  /** Who: a short mark of the signed-in session, the same for the same user. */
  readonly actor: string
  readonly event:
    | 'call-amended'
    | 'amendment-undone'
    | 'call-decided'
    /** A reason was added to a denial. */
    | 'denial-explained'
    /** The user pressed Stop while it ran. */
    | 'call-stopped'
    | 'call-finished'
    | 'result-released'
    | 'results-sent'
    | 'grant-given'
    | 'grant-revoked'
    /** A grant of the kind `effects` kept the changes of a task. */
    | 'grant-used'
    /** The conversation got a tool of its own, or a new spec of one. */
    | 'tool-registered'
    | 'tool-removed'
    /** The chat uses the tools of a server (MCP), or another set of them. */
    | 'tool-set-used'
    | 'settings-changed'
    | 'message-deleted'
    | 'message-restored'
    /** The chat came from an export; the entries after it are those of the export, unchanged. */
    | 'imported'
  readonly messageId: string | null
  readonly slot: number | null
  readonly tool: string | null
  /** What was requested, changed, decided, run or sent; the structure depends on `event`. */
  readonly detail: JsonObject
  /** The content of its row can't be read. */
  readonly unreadable?: true
}

/** A file attached to a message. It is in the conversation's files, in the browser in which it was attached. */
export interface AttachedText {
  /** For example `gb18030`. */
  readonly encoding: TextEncodingName
  /** Bytes of the file that `head` covers. */
  readonly bytes: number
}

/** The content of an attached document, and how much of it is sent with the message. */
export interface AttachedDocument {
  readonly unit: 'page' | 'slide' | 'sheet' | 'chapter' | 'part'
  /** Their total number. */
  readonly total: number
  /** The approximate tokens of its text. */
  readonly tokens: number
  /** `head` is all of its text. */
  readonly whole: boolean
  /** The number of invisible characters on its pages. */
  readonly hidden: number
}

export interface Attachment {
  /** The path in the conversation's files. */
  readonly path: string
  /** For example `image/png`, `text/csv`. */
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** The beginning of a text; null for a file that is not text. */
  readonly head: string | null
  /** The encoding of the text in the file; left out: UTF-8, and `head` covers as many bytes as it has. */
  readonly written?: AttachedText
  /** For a parsed document: `head` is its outline and its first page, or all of it. */
  readonly document?: AttachedDocument
  /** The image is also stored with the message, and sent to models with vision. */
  readonly isImage: boolean
}

export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

/** The image of an attachment, scaled for models. Never part of a message: it is loaded where it is sent or shown. */
export interface MessageImage {
  readonly messageId: string
  /** The number of the attachment in the message, from 0. */
  readonly number: number
  readonly mediaType: ImageMediaType
  /** Base64. */
  readonly data: string
}
