import type { Dialect } from './dialect'
import type { CallToWrite, FramedResults, PromptPart, ResultToWrite, StrategyId, ToolSpec } from './tool-context-def'

/** What a strategy's folder brings; the registry adds the scanner, which knows the other dialects as foreign. */
export interface StrategyModule {
  readonly id: StrategyId
  readonly summary: string
  readonly dialect: Dialect
  readonly promptParts: (tools: readonly ToolSpec[]) => readonly PromptPart[]
  readonly formatCalls: (calls: readonly CallToWrite[]) => string
  readonly formatResults: (results: readonly ResultToWrite[], boundary: string) => FramedResults
}
