import { estimateTokens } from './prompt/token-estimate'
import { toolContextBuilder } from './tool-context-builder'
import type { ReplyForm } from './types/reply-form'
import type { StrategyId, ToolSpec } from './types/tool-context-def'

/** Tokens of a system prompt as it is sent, with the tool schemas that a strategy sends beside it; no `tools`: tools are off. */
export const promptTokens = (whole: string, strategy: ReplyForm, tools: readonly ToolSpec[]): number =>
  toolContextBuilder
    .promptParts(strategy, tools)
    .reduce((sum, { apart, text }) => sum + (apart ? estimateTokens(text) : 0), estimateTokens(whole))

/** Tokens that a strategy costs for these tools in every turn: its block of the prompt, and what is sent beside it. */
export const promptCost = (strategy: StrategyId, tools: readonly ToolSpec[]): number =>
  promptTokens(toolContextBuilder.spliceSystemPrompt('', { strategy, tools, enabled: true }), strategy, tools)
