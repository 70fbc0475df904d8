import type { Conversation, Message, ToolResult, UserMessage } from './conversation'
import { replyAsPrompt } from './reply-as-prompt'
import type { ReplyContext, ReplyReader } from './reply-as-prompt'
import { withToolContext } from './tool-macros'
import type { StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'

/** What the prompt needs of the ToolContextBuilder. */
export interface PromptBuilder extends ReplyReader {
  spliceSystemPrompt(
    system: string,
    options: { readonly strategy: StrategyId; readonly tools: readonly ToolSpec[]; readonly enabled: boolean },
  ): string
}

export interface ModelInputOptions {
  readonly conversation: Pick<Conversation, 'settings'>
  /** Root → the message that is answered. */
  readonly path: readonly Message[]
  readonly builder: PromptBuilder
  /** All tools that exist; those not offered here are flagged `disabled`. */
  readonly tools: readonly ToolSpec[]
  /** Unforgeable text for the result frames of one message, the same every time (at least 8 of [a-z0-9]). */
  readonly boundary?: (messageId: string) => string
}

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface ModelInput {
  readonly instructions: string
  /** Alternating, user first; the AI SDK's `ModelMessage` in its plainest form. */
  readonly messages: PromptMessage[]
}

/**
 * All that the model is sent, a pure function of the stored conversation: the system prompt with the tools of now, and
 * the branch with every earlier call and result in the strategy of now, so that a model never sees two protocols.
 */
export function buildModelInput(options: ModelInputOptions): ModelInput {
  const { conversation, path, builder, tools, boundary = boundaryOf } = options
  const { strategy, systemPrompt, tools: config } = conversation.settings
  const context: ReplyContext = { reader: builder, strategy: config.enabled ? strategy : null, tools }
  const sent = new Set<string>()

  const turns: Turn[] = path.map((message) =>
    message.role === 'assistant'
      ? { role: 'assistant', text: replyAsPrompt(message, context) }
      : { role: 'user', text: userText(message, builder, strategy, boundary, sent) },
  )
  const offered = tools.filter((tool) => tool.disabled !== true)
  return {
    instructions: withToolContext(
      systemPrompt,
      (own) => builder.spliceSystemPrompt(own, { strategy, tools: offered, enabled: config.enabled }),
      { config, tools: offered, path },
    ),
    messages: joinTurns(turns).map(({ role, text }) => ({ role, content: text })),
  }
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** Results first, then the words: the words may be about the results. */
function userText(
  message: UserMessage,
  builder: PromptBuilder,
  strategy: StrategyId,
  boundary: (messageId: string) => string,
  sent: Set<string>,
): string {
  const results = message.results.filter((result) => isFirst(result, sent))
  if (results.length === 0) return message.text
  const frame = builder.get(strategy).formatResults(
    results.map(({ callId, name, status, result }) => ({ id: callId, name, status, result })),
    boundary(message.id),
  ).text
  return message.text.trim() === '' ? frame : `${frame}\n\n${message.text}`
}

/** A call has one result in a branch, whatever the rows say. */
function isFirst(result: ToolResult, sent: Set<string>): boolean {
  const key = `${result.messageId}:${result.slot}`
  if (sent.has(key)) return false
  sent.add(key)
  return true
}

/** Drops empty turns and joins neighbours of one role: many servers insist on strict alternation. */
function joinTurns(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    if (turn.text.trim() === '') continue
    const last = joined.at(-1)
    if (last?.role === turn.role) joined[joined.length - 1] = { role: turn.role, text: `${last.text}\n\n${turn.text}` }
    else joined.push(turn)
  }
  return joined
}

/**
 * Message ids are random UUIDs that the model never sees, so their hash is a boundary that nobody can guess, and that
 * keeps prompts stable from turn to turn. FNV-1a, two lanes.
 */
export function boundaryOf(messageId: string): string {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let index = 0; index < messageId.length; index++) {
    low = Math.imul(low ^ messageId.charCodeAt(index), 0x01000193) >>> 0
    high = Math.imul(high ^ low, 0x85ebca6b) >>> 0
  }
  return `${low.toString(36).padStart(7, '0')}${high.toString(36).padStart(7, '0')}`
}
