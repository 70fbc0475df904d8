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
import type { QuotaLimits } from '../quota/rate'
import type { PromptBuilder } from '@/lib/shared/prompt/model-messages'
import type { ReplyParser } from '@/lib/shared/prompt/reply-readings'
import type { RunLog } from '../runs/run-log'

/** The world, as the chat service sees it. `lib/server/wiring/make-server.ts` makes it. */
export interface ChatServicePorts {
  readonly store: Omit<Store, 'accounts' | 'database' | 'signals' | 'processes' | 'ping' | 'close'>
  readonly runLog: RunLog
  readonly clock: Clock
  readonly newId: () => string
  readonly models: {
    list(signal: AbortSignal): Promise<ModelList & Pick<ModelsResponse, 'browserHosts'>>
    /** `fields`: what is in each of its requests. */
    languageModel(id: ModelId, fields?: JsonObject): LanguageModelV4
    info(id: ModelId): ModelInfo
    /** Whether the model is sent pictures; asks its server where only that knows. Never rejects. */
    seesImages(id: ModelId): Promise<boolean>
    /** What the model takes in all, its answer included; null where no one knows. Asks its server shortly; never rejects. */
    windowTokens(id: ModelId): Promise<number | null>
  }
  /** The strategies that this server has. */
  readonly builder: PromptBuilder & ReplyParser
  /** Holds replies to the form of their strategy; left out: none is. */
  readonly exact?: ExactPort
  /** All tools that models may call; those that the config does not offer are flagged `disabled`. */
  readonly discoverTools: (config: ToolCallConfig, registered: readonly RegisteredTool[]) => readonly ToolSpec[]
  /** The same, where the chat's own tools are offered only if the page that asks is `connected` to them. */
  readonly offerTools: (
    config: ToolCallConfig,
    registered: readonly RegisteredTool[],
    connected: readonly string[],
  ) => readonly ToolSpec[]
  /** What the rules of approval need to know of a tool, whether it is offered or not. */
  readonly toolFacts: (name: string, registered: readonly RegisteredTool[]) => ToolFacts | undefined
  /** Whether a tool of a conversation may be called so: the built-in ones have their names for themselves. */
  readonly isFreeToolName: (name: string) => boolean
  /** Result frames of one message: unforgeable and the same every time. */
  readonly boundary: (messageId: string) => string
  /** A mark of a text that only this server makes, 32 hex digits: for links to a call. */
  readonly lookMark: (text: string) => string
  /** Takes the keys of this server out of a text. */
  readonly redact: Redact
  readonly log: (message: string, error: unknown) => void
  /** Lets what else the process has to do have its turn. */
  readonly breathe: () => Promise<void>
  readonly observer: ChatObserver
  readonly limits: ChatServiceLimits
  /** Runs the operator's tool servers; left out: there are none. */
  readonly toolHost?: ToolHost
  /** The process has more to do than it can; left out: never. */
  readonly isPressed?: () => boolean
}

export interface ChatServiceLimits {
  /** Longest silence of a model. */
  readonly stallMs: number
  /** Replies that this process writes at the same time. */
  readonly maxRuns: number
  /** Replies that are written for one owner at the same time, on all nodes. */
  readonly maxRunsPerOwner: number
  /** Views of running replies that one owner may hold open in this process. */
  readonly maxStreamsPerOwner: number
  /** Tokens that are sent at most to a model whose window no one knows; null: the whole chat. */
  readonly promptTokens: number | null
  readonly fair: QuotaLimits
}
