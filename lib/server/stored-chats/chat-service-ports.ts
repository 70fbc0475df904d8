import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import type { ToolFacts } from '@/lib/shared/calls/approval-policy'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { ExactPort } from '@/lib/shared/prompt/exact-reply'
import type { ModelId, ModelInfo, ModelList } from '@/lib/shared/models/model'
import type { Redact } from '@/lib/shared/models/redact-keys'
import type { Store } from '@/lib/server/store/ports/store'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ChatObserver } from '../runs/chat-observer'
import type { Clock } from '../runs/clock'
import type { ToolHost } from '../tool-servers/operator-server'
import type { WebHost } from '../web/web-host'
import type { QuotaLimits } from '../quota/rate'
import type { PromptBuilder } from '@/lib/shared/prompt/model-messages'
import type { ReplyParser } from '@/lib/shared/prompt/reply-readings'
import type { RunLog } from '../runs/run-log'

/** The dependencies of the chat service. `lib/server/wiring/make-server.ts` creates them. */
export interface ChatServicePorts {
  readonly store: Omit<Store, 'accounts' | 'database' | 'signals' | 'processes' | 'ping' | 'close'>
  readonly runLog: RunLog
  readonly clock: Clock
  readonly newId: () => string
  readonly models: {
    list(signal: AbortSignal): Promise<ModelList & Pick<ModelsResponse, 'browserHosts'>>
    /** `fields` are added to each of its requests. */
    languageModel(id: ModelId, fields?: JsonObject): LanguageModelV4
    info(id: ModelId): ModelInfo
    /** Whether the model accepts pictures; asks its server if only that knows. Never rejects. */
    seesImages(id: ModelId): Promise<boolean>
    /**
     * The model's context window in tokens, its reply included; null if unknown. Asks its server with a short timeout;
     * never rejects.
     */
    windowTokens(id: ModelId): Promise<number | null>
  }
  /** The strategies of this server. */
  readonly builder: PromptBuilder & ReplyParser
  /** Constrained decoding: holds replies to the form of their strategy; omitted: not used. */
  readonly exact?: ExactPort
  /** All tools that models may call; those that the config does not offer are marked `disabled`. */
  readonly discoverTools: (config: ToolCallConfig, registered: readonly RegisteredTool[]) => readonly ToolSpec[]
  /** The same, but a chat's own tools are offered only if the requesting page is `connected` to them. */
  readonly offerTools: (
    config: ToolCallConfig,
    registered: readonly RegisteredTool[],
    connected: readonly string[],
  ) => readonly ToolSpec[]
  /** The facts about a tool for the approval rules, whether or not it is offered. */
  readonly toolFacts: (name: string, registered: readonly RegisteredTool[]) => ToolFacts | undefined
  /** Whether a conversation's own tool may have this name: names of built-in tools are reserved. */
  readonly isFreeToolName: (name: string) => boolean
  /** The boundary of a message's result frames: unforgeable, and the same every time. */
  readonly boundary: (messageId: string) => string
  /** A signature of a text that only this server can make, 32 hex digits: for links to a call. */
  readonly lookMark: (text: string) => string
  /** The id of the account with this address; null: there is none. Omitted: the operator does not allow reviewers. */
  readonly findReviewer?: (address: string) => Promise<string | null>
  /** Removes this server's keys from a text. */
  readonly redact: Redact
  readonly log: (message: string, error: unknown) => void
  /** Yields to other work of the process. */
  readonly breathe: () => Promise<void>
  readonly observer: ChatObserver
  readonly limits: ChatServiceLimits
  /** Runs the operator's tool servers; omitted: there are none. */
  readonly toolHost?: ToolHost
  /** Reads pages and searches the web; omitted: the operator allows neither. */
  readonly web?: WebHost
  /** Whether the process is overloaded; omitted: never. */
  readonly isPressed?: () => boolean
}

export interface ChatServiceLimits {
  /** The longest silence of a model. */
  readonly stallMs: number
  /** How many replies this process writes at the same time. */
  readonly maxRuns: number
  /** How many replies are written for one owner at the same time, on all nodes. */
  readonly maxRunsPerOwner: number
  /** How many readers of running replies one owner may have in this process. */
  readonly maxStreamsPerOwner: number
  /** The prompt limit in tokens for a model with an unknown window; null: the whole chat. */
  readonly promptTokens: number | null
  readonly fair: QuotaLimits
}
