import type { Dialect } from './dialect'
import type { ScannerOptions } from './scan/steps'
import type {
  CallToWrite,
  FramedResults,
  PromptPart,
  ReplyScanner,
  ResultToWrite,
  StrategyId,
  ToolSpec,
} from './tool-context-def'

/** What a strategy's folder brings; the registry adds the scanner, which knows the other dialects as foreign. */
export interface StrategyModule {
  readonly id: StrategyId
  readonly summary: string
  readonly dialect: Dialect
  readonly promptParts: (tools: readonly ToolSpec[]) => readonly PromptPart[]
  readonly formatCalls: (calls: readonly CallToWrite[]) => string
  /** How a right call is shown to the model in words, where that is not what `formatCalls` writes. */
  readonly showCalls?: (calls: readonly CallToWrite[]) => string
  readonly formatResults: (results: readonly ResultToWrite[], boundary: string) => FramedResults
  /** A scanner of its own, where calls are told from text by more than their dialect. */
  readonly createScanner?: (options: ScannerOptions) => ReplyScanner
}
