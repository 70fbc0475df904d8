import { estimateTokens } from './token-estimate'
import { toolContextBuilder } from './tool-context-builder'
import type { StrategyId, ToolSpec } from './tool-context-def'

/** Tokens that a strategy costs for these tools in every turn: its part of the prompt, and what is sent beside it. */
export const promptCost = (strategy: StrategyId, tools: readonly ToolSpec[]): number =>
  toolContextBuilder.promptParts(strategy, tools).reduce((sum, part) => sum + estimateTokens(part.text), 0)
