import type { CopyEnd, CopyScope, EffectsScope } from './copy-scopes'
import type { TextEncodingName } from '@/lib/base/text/text-encoding'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ContextMarks } from './settings/context-marks'
import type { CallToWrite, StrategyId, ToolExecuteStatus } from '@/lib/protocols/types/tool-context-def'
import type { ChangedPath } from '@/lib/vfs/path'
import type { ModelFailure, ModelId } from '@/lib/shared/models/model'

/** Settings that a conversation holds for itself. Stored with `version`; decoded and migrated by `settings.ts`. */
export interface ConversationSettings {
  readonly version: 4
  readonly model: ModelId
  readonly strategy: StrategyId
  /** `{{tools}}` marks where the tool block goes; without it the block stands at the end. */
  readonly systemPrompt: string
  readonly tools: ToolCallConfig
  /** Whether the server is asked to hold replies to the strategy's form. Left out: as is usual for the model. */
  readonly exact?: boolean
  /** What the user says of models that see images, or don't. Models that are left out: as their servers say. */
  readonly images?: Readonly<Record<ModelId, boolean>>
}

/** When something waits for the user: each time, only once a call of that tool failed in this chat, or not at all. */
export type ApprovalRule = 'always' | 'on-error' | 'never'

/** What a conversation says differently from a tool's own rules. */
export interface ToolRules {
  /** Before a call runs. Anything but `always` counts in mode `auto` only, and never for a sensitive tool. */
  readonly execution?: ApprovalRule
  /** Before its result goes to the model. */
  readonly result?: ApprovalRule
}

/** Which tools are offered and how calls run, per conversation. Defaults: `defaultToolConfig` in `tool-config.ts`. */
export interface ToolCallConfig {
  readonly enabled: boolean
  /** `manual`: every call waits for a click. `auto`: those whose rule allows it run by themselves in an open tab. */
  readonly mode: 'manual' | 'auto'
  /** Every call waits for a click, whatever `mode`, rules and remembered answers say. */
  readonly requireConfirmation: boolean
  /** How long a remembered answer stands, milliseconds from when it was given; null: as long as the conversation. */
  readonly grantLifetimeMs: number | null
  /** Tool name → offered; names that are missing follow `defaultToolEnabled`. */
  readonly toolToggles: Readonly<Record<string, boolean>>
  readonly defaultToolEnabled: boolean
  /** Tool name → rules; names that are missing follow the tool's own. */
  readonly toolRules: Readonly<Record<string, ToolRules>>
  /** Which results wait for a look, where no rule of a tool says so already. */
  readonly resultGate: 'always' | 'large-or-failed' | 'never'
  /** Rounds of tool results without a word from the user. */
  readonly maxIterations: number
  /** Calls of one reply that may run; the rest are answered by an error. */
  readonly maxCallsPerReply: number
  /** Per call, milliseconds. */
  readonly timeoutMs: number
  /** Calls that are started together run side by side instead of one after the other. */
  readonly parallelExecution: boolean
  /** What becomes of the files that code changed: they are kept at once, or the user is asked after the run. */
  readonly codeChanges: 'keep' | 'ask'
  /** Where the chat asks: in the card, or in a dialog over the chat. */
  readonly approvalUi: 'inline' | 'dialog'
}

export interface Conversation {
  readonly id: string
  readonly title: string
  readonly settings: ConversationSettings
  /** What is stored of the settings could not be read, and defaults stand in. */
  readonly settingsProblem: 'damaged' | null
  /** The message at the end of the branch that is shown. */
  readonly headId: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** When it was taken in from a file; left out: it began here. */
  readonly importedAt?: number
  /** What its models are sent of it no more, and what stays; left out: nobody decided anything. */
  readonly marks?: ContextMarks
  /** It is in no list, and is deleted when its page is left. */
  readonly temporary?: true
  /** The project that it is in; left out: none. */
  readonly project?: string
}

export interface ConversationSummary {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  /** A reply is being written, or waits for a place. */
  readonly running: boolean
  /** It waits for a place still. */
  readonly queued?: true
  /** It is brought by a person from another chat. */
  readonly pasted?: true
  /** Live calls of the head message that nobody decided yet. */
  readonly waitingCalls: number
  /** It stands on top of the list. Left out: not. */
  readonly pinned?: true
  /** It is put away. Left out: not. */
  readonly archived?: true
  /** By name; left out: none. */
  readonly tags?: readonly string[]
  /** The project that it is in; left out: none. */
  readonly project?: string
}

/** How a reply ended; null while it is being written. The only source of "complete" is `finished`. */
export type ReplyOutcome = 'finished' | 'stopped' | 'failed' | 'length' | 'interrupted'

export interface Usage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Of `inputTokens`: those that the server still had from before. Left out: it did not say. */
  readonly cachedInputTokens?: number
}

interface MessageBase {
  readonly id: string
  readonly conversationId: string
  readonly parentId: string | null
  readonly createdAt: number
  /** Its row can't be read: `whole`, this stands in its place; `part`, words of it are lost. Left out: all is well. */
  readonly unreadable?: 'whole' | 'part'
  /** The user deleted it: only its place is left (`deleted-message.ts`). */
  readonly deleted?: true
}

export interface UserMessage extends MessageBase {
  readonly role: 'user'
  /** What the user wrote; '' in a message that only takes results back. */
  readonly text: string
  /** Results of the parent assistant message's calls, in slot order; also on a text message that skipped calls. */
  readonly results: readonly ToolResult[]
  /** Left out: none. */
  readonly attachments?: readonly Attachment[]
  /**
   * How calls of earlier replies ended, of which the model had been told `unfinished`; each is told once in a branch.
   * Left out: none.
   */
  readonly late?: readonly ToolResult[]
  /** What became of a copy of the files since the reply before; left out: no copy ended. */
  readonly copyEnd?: CopyEnd
}

/** What a model was not sent of a chat that was longer than its window. */
export interface TrimmedPrompt {
  /** How many of the messages before the reply. */
  readonly messages: number
  /** The window as it was known then. */
  readonly windowTokens: number
  /** Nobody knew it: so much is sent at most. */
  readonly assumed?: true
}

/** How fast a reply came, milliseconds since its model was asked. */
export interface ReplyPace {
  /** To its first word, thoughts included. */
  readonly firstMs: number
  /** To its end. */
  readonly ms: number
}

/** How far a reply was held to the form of its strategy by the server that wrote it. */
export interface ExactOfReply {
  /**
   * `honoured`: it was asked so of a server that is known to bind, and reads so. `asked`: nobody can tell whether it bound.
   * `broken`: it does not keep to what was asked. `ignored`, `refused`: that is what the server does with it, so it was written
   * without; said where the branch did not say so before.
   */
  readonly is: 'honoured' | 'asked' | 'broken' | 'ignored' | 'refused'
  /** By which field of the request (`lib/shared/models/exact`). */
  readonly form: string
}

export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant'
  readonly text: string
  /** Reasoning that the provider sent apart; never read for calls. */
  readonly reasoning: string
  /** The strategy and model that the message was made with. */
  readonly strategy: StrategyId
  /** False when the conversation's tools were off: the text is not read for calls. */
  readonly toolsEnabled: boolean
  readonly model: ModelId
  readonly outcome: ReplyOutcome | null
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
  readonly runId: string
  /** Left out: the model was sent the whole branch. */
  readonly trimmed?: TrimmedPrompt
  /**
   * `whole`: the model was told to write one JSON value, in which words are JSON too, as a JSON schema binds it. It is read so
   * where it is one, else by its strategy. Left out: by its strategy.
   */
  readonly reading?: 'whole'
  /** Left out: it was not asked for. */
  readonly exact?: ExactOfReply
  /**
   * How long each thought took, milliseconds: what came apart as one, then each in the text, as they stand there. Left out: nobody
   * looked at a clock.
   */
  readonly thoughtMs?: readonly number[]
  /** Left out: nobody looked at a clock, or no word came. */
  readonly pace?: ReplyPace
  /**
   * About how many tokens it was asked with, as they were estimated before: `usage.inputTokens` says how far that was off.
   * Left out: nobody counted.
   */
  readonly promptTokens?: number
  /** What the model was sent (`lib/shared/record/sent-hashes.ts`). Left out: a tab asked its own model, or nobody kept it. */
  readonly sent?: { readonly prompt: string; readonly tools: string }
}

export type Message = UserMessage | AssistantMessage

/** A tool result as a row. `slot` counts the calls of the assistant message in order, from 0. */
export interface ToolResult {
  readonly messageId: string
  readonly slot: number
  readonly callId: string
  readonly name: string
  readonly status: ToolExecuteStatus
  readonly result: JsonValue
  /** What the user changed or said about the call or its result, for the model; '' for nothing. */
  readonly note?: string
  readonly durationMs: number | null
}

/**
 * A decision on one call and, once it ran, its outcome. Unique per (message, slot): the row is what makes a call run
 * exactly once. State of a card = f(message text, amendment, this row, results posted); see lib/client/calls.
 */
export interface CallRecord {
  readonly messageId: string
  readonly slot: number
  readonly callId: string
  /** The tool that was decided on; differs from the asked one where `changed` says so. */
  readonly name: string
  /**
   * SHA-256 over message id, slot, tool and canonical arguments of what was decided: the approval is bound to it. Null where
   * nobody approved anything.
   */
  readonly callHash: string | null
  readonly decision: 'run' | 'deny' | 'skip'
  readonly reason: string
  /** What ran instead of what the model had asked; null when it ran as asked. */
  readonly changed: CallToWrite | null
  readonly by: DecidedBy | ClosedBy
  /** Which tab runs it; a tab holds the Web Lock `nod:call:<messageId>:<slot>` meanwhile. */
  readonly runnerId: string | null
  /** Counts starts: "Run again" after an interruption is attempt 2. */
  readonly attempt: number
  readonly decidedAt: number
  /** Null while it runs, when its page is gone, and after a stop until that is settled. */
  readonly outcome: CallOutcome | null
  /** The user pressed Stop on this attempt; left out: not. It may have ended all the same: then `outcome` says how. */
  readonly stopped?: StoppedRun
  readonly finishedAt: number | null
  /** The result waits for the user's look before the model gets it. Decided by the server when the outcome came. */
  readonly gated: boolean
  /** What the user let out of a gated result; null while it waits, and always where nothing was gated. */
  readonly release: ResultRelease | null
  /** The user message that took the result to the model; without an outcome the model was told that it is unfinished. */
  readonly postedIn: string | null
  /** What of its row can't be read; something that is safe stands there instead. Left out: all is well. */
  readonly unreadable?: readonly ('decision' | 'outcome' | 'stop' | 'release')[]
}

export interface StoppedRun {
  /** When the server heard of the click. */
  readonly at: number
  /** What the run had said and done until it stood still; null while that is not known, or will never be. */
  readonly outcome: CallOutcome | null
  /** False: nothing ran, the user stopped the calls before it (`neverBegan`). Left out: it may have begun. */
  readonly begun?: false
}

/** Who decided: a click, a rule of mode `auto`, or a standing grant. */
export type DecidedBy =
  | { readonly kind: 'click' }
  | { readonly kind: 'auto' }
  | { readonly kind: 'grant'; readonly grantId: string }

/** What closed a call on which nobody decided. */
export type ClosedBy =
  /** The user stopped the calls that were to run before it: its row says `run`, and nothing of it ran. */
  | { readonly kind: 'run-stopped' }
  /** The user wrote something else. */
  | { readonly kind: 'overtaken' }
  /** `maxCalls` calls of its reply had run, which were as many as might. */
  | { readonly kind: 'limit'; readonly maxCalls: number }
  /** What stood there cannot be read. */
  | { readonly kind: 'unknown' }

/** What was done to a result before it was sent. `revealed`: placeholders got their values back. */
export type ResultChange = 'revealed' | 'trimmed' | 'redacted' | 'edited' | 'file-reference'

type Click = Extract<DecidedBy, { kind: 'click' }>

/** Who kept a result here. */
export type KeptBy =
  | Click
  /** Nobody: the user wrote something else instead of looking at it. */
  | { readonly kind: 'overtaken' }
  /** Nobody: it came with an imported chat, whose model had not been told of it. */
  | { readonly kind: 'imported' }
  /** What stood there cannot be read, or never said it. */
  | { readonly kind: 'unknown' }

/** The word on a gated result. `withheld` may still become `sent` or `changed` until the results are posted. */
export type ResultRelease =
  | { readonly kind: 'sent'; readonly by: Click; readonly note: string; readonly releasedAt: number }
  | {
      readonly kind: 'changed'
      readonly by: Click
      /** Stands in for the outcome's result; the outcome itself stays in the row. */
      readonly result: JsonValue
      readonly changes: readonly ResultChange[]
      readonly note: string
      readonly releasedAt: number
    }
  | { readonly kind: 'withheld'; readonly by: KeptBy; readonly note: string; readonly releasedAt: number }

/**
 * The user's own hand on a call before it is decided: `call` is what would run instead of what the model asked. A quoted,
 * foreign or broken call becomes one by its amendment (`slot` from `promotedSlot`); `call: null` takes it as it is read.
 */
export interface CallAmendment {
  readonly messageId: string
  readonly slot: number
  readonly call: CallToWrite | null
  readonly amendedAt: number
  /** What the user made of it can't be read: nothing runs before that is undone or replaced. */
  readonly unreadable?: true
}

/** What a remembered answer covers; never a sensitive tool. */
export type GrantScope =
  | { readonly kind: 'arguments'; readonly tool: string; readonly argumentsHash: string; readonly label: string }
  | { readonly kind: 'folder'; readonly tool: string; readonly folder: string }
  | { readonly kind: 'tool'; readonly tool: string }

/** A remembered "yes", in one conversation, until it is taken back or the conversation ends. */
export interface Grant {
  readonly id: string
  /** One whose row can't be read covers nothing. */
  readonly scope: GrantScope | CopyScope | EffectsScope | { readonly kind: 'unreadable' }
  readonly createdAt: number
  readonly uses: number
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  /** From when on it covers nothing more, epoch milliseconds; left out: it ends with the conversation. */
  readonly expiresAt?: number
  /** The call on whose card it was given, by a click on Run; left out: not known. */
  readonly givenOn?: { readonly messageId: string; readonly slot: number }
}

/** One line of the conversation's log: every decision, run, change and sending. */
export interface LogEntry {
  /** 1, 2, 3 … without gaps in one conversation. */
  readonly seq: number
  readonly at: number
  /** Who: a short mark of the signed-in session, the same for the same person. */
  readonly actor: string
  readonly event:
    | 'call-amended'
    | 'amendment-undone'
    | 'call-decided'
    /** A denial was given its reason. */
    | 'denial-explained'
    /** The user pressed Stop while it ran. */
    | 'call-stopped'
    | 'call-finished'
    | 'result-released'
    | 'results-sent'
    | 'grant-given'
    | 'grant-revoked'
    /** A grant of the kind `effects` kept what a task changed. */
    | 'grant-used'
    /** The conversation got a tool of its own, or another spec of one. */
    | 'tool-registered'
    | 'tool-removed'
    /** The chat uses the tools of a server (MCP), or another set of them. */
    | 'tool-set-used'
    | 'settings-changed'
    | 'message-deleted'
    | 'message-restored'
    /** The chat came from an export; the entries after it are those of the export, as they stood there. */
    | 'imported'
  readonly messageId: string | null
  readonly slot: number | null
  readonly tool: string | null
  /** What was asked, changed, decided, run or sent; the shape depends on `event`. */
  readonly detail: JsonObject
  /** What its row held can't be read. */
  readonly unreadable?: true
}

export interface CallOutcome {
  readonly status: ToolExecuteStatus
  readonly result: JsonValue
  readonly durationMs: number | null
  /** Console lines of the run, for the card; not sent to the model unless the tool's result holds them. */
  readonly console: readonly { readonly level: string; readonly text: string; readonly atMs: number }[]
  readonly displays: readonly { readonly kind: string; readonly data: string; readonly name?: string }[]
  /** Files that it changed, where it runs on a layer of its own (code); left out: not known, or none. */
  readonly files?: FileChanges
  /** The sentences of `result.error`, for its reader; left out: foreign code said it, or an older build stored it. */
  readonly said?: readonly SaidReason[]
}

/** A message by its key. */
interface SaidReason {
  readonly reason: string
  readonly values: JsonObject
}

/** What a run did, or would have done, to files. */
export interface FileChanges {
  /** False: the user kept them away from the files. */
  readonly kept: boolean
  /** Sorted by path; cut after 200. */
  readonly changes: readonly ChangedPath[]
  /** How many there are in all. */
  readonly total: number
}

/** A file that came with a message. It lies in the conversation's files, in the browser in which it was attached. */
export interface AttachedText {
  /** As `gb18030`. */
  readonly encoding: TextEncodingName
  /** Bytes of the file that `head` stands for. */
  readonly bytes: number
}

/** What an attached document holds, and how much of it goes with the message. */
export interface AttachedDocument {
  readonly unit: 'page' | 'slide' | 'sheet' | 'chapter' | 'part'
  /** How many of them it has. */
  readonly total: number
  /** About how many tokens its text has. */
  readonly tokens: number
  /** `head` is all of its text. */
  readonly whole: boolean
  /** Characters that can't be seen on its pages. */
  readonly hidden: number
}

export interface Attachment {
  /** Where in the conversation's files. */
  readonly path: string
  /** As `image/png`, `text/csv`. */
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** The beginning of a text; null for what is no text. */
  readonly head: string | null
  /** How the text is written in the file; left out: in UTF-8, and `head` is as long as its bytes are. */
  readonly written?: AttachedText
  /** Of a document that was read: `head` is its outline and its first page, or all of it. */
  readonly document?: AttachedDocument
  /** The picture is stored with the message too, and sent to models that can see. */
  readonly isImage: boolean
}

export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

/** The picture of an attachment, scaled for models. Never part of a message: it is loaded where it is sent or shown. */
export interface MessageImage {
  readonly messageId: string
  /** Which attachment of the message, from 0. */
  readonly number: number
  readonly mediaType: ImageMediaType
  /** Base64. */
  readonly data: string
}
