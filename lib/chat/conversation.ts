import type { JsonValue } from '@/lib/base/json'
import type { StrategyId, ToolResultStatus } from '@/lib/strategies/tool-context-def'
import type { ModelFailure, ModelId } from '@/lib/models/model'

/** Settings that a conversation holds for itself. Stored with `version`; decoded and migrated by `settings.ts`. */
export interface ConversationSettings {
  readonly version: 1
  readonly model: ModelId
  readonly strategy: StrategyId
  /** `{{tools}}` marks where the tool block goes; without it the block stands at the end. */
  readonly systemPrompt: string
  readonly tools: ToolCallConfig
}

/** Which tools are offered and how calls run, per conversation. */
export interface ToolCallConfig {
  readonly enabled: boolean
  /** Tool name → offered; names that are missing follow `defaultToolEnabled`. */
  readonly toolToggles: Readonly<Record<string, boolean>>
  readonly defaultToolEnabled: boolean
  /** Rounds of tool results without a word from the user. */
  readonly maxIterations: number
  readonly timeoutMs: number
}

export interface Conversation {
  readonly id: string
  readonly title: string
  readonly settings: ConversationSettings
  /** Set when the stored settings could not be read and defaults stand in: a sentence for the user. */
  readonly settingsProblem: string | null
  /** The message at the end of the branch that is shown. */
  readonly headId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ConversationSummary {
  readonly id: string
  readonly title: string
  readonly updatedAt: number
  /** A reply is being written. */
  readonly running: boolean
  /** Live calls of the head message that nobody decided yet. */
  readonly waitingCalls: number
}

/** How a reply ended; null while it is being written. The only source of "complete" is `finished`. */
export type ReplyOutcome = 'finished' | 'stopped' | 'failed' | 'length' | 'interrupted'

export interface Usage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

interface MessageBase {
  readonly id: string
  readonly conversationId: string
  readonly parentId: string | null
  readonly createdAt: number
}

export interface UserMessage extends MessageBase {
  readonly role: 'user'
  /** What the user wrote; '' in a message that only takes results back. */
  readonly text: string
  /** Results of the parent assistant message's calls, in slot order; also on a text message that skipped calls. */
  readonly results: readonly ToolResult[]
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
}

export type Message = UserMessage | AssistantMessage

/** A tool result as a row. `slot` counts the calls of the assistant message in order, from 0. */
export interface ToolResult {
  readonly messageId: string
  readonly slot: number
  readonly callId: string
  readonly name: string
  readonly status: ToolResultStatus
  readonly result: JsonValue
  readonly durationMs: number | null
}

/**
 * A decision on one call and, once it ran, its outcome. Unique per (message, slot): the row is what makes a call run
 * exactly once. State of a card = f(message text, this row, results posted); see lib/tool-calls.
 */
export interface CallRecord {
  readonly messageId: string
  readonly slot: number
  readonly callId: string
  readonly name: string
  /** SHA-256 over message id, slot, tool and canonical arguments: what the approval is bound to. */
  readonly callHash: string
  readonly decision: 'run' | 'deny' | 'skip'
  readonly reason: string
  /** Which tab runs it; a tab holds the Web Lock `nod:call:<messageId>:<slot>` meanwhile. */
  readonly runnerId: string | null
  /** Counts starts: "Run again" after an interruption is attempt 2. */
  readonly attempt: number
  readonly decidedAt: number
  readonly outcome: CallOutcome | null
  readonly finishedAt: number | null
  /** The user message that took the result to the model. */
  readonly postedIn: string | null
}

export interface CallOutcome {
  readonly status: ToolResultStatus
  readonly result: JsonValue
  readonly durationMs: number | null
  /** Console lines of the run, for the card; not sent to the model unless the tool's result holds them. */
  readonly console: readonly { readonly level: string; readonly text: string; readonly atMs: number }[]
  readonly displays: readonly { readonly kind: string; readonly data: string }[]
}
