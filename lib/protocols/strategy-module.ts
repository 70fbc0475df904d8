import type { Language } from '@/lib/base/text/languages'
import type { Dialect } from './arguments/dialect'
import type { Neutraliser } from './neutralise/neutralise'
import type { ScannerOptions } from './scan/scan-state'
import type { StrategyFacts } from './types/strategy-facts'
import type {
  CallsBy,
  CallToWrite,
  FramedResults,
  PromptPart,
  ReplyScanner,
  ResultToWrite,
  StrategyId,
  ToolSpec,
} from './types/tool-context-def'

/**
 * What a strategy's folder brings; whatever is left out does not compile. The registry makes of it a `ToolContextDef`,
 * whose scanner knows the other dialects as foreign and whose results hold no mark of any strategy.
 */
export interface StrategyModule extends StrategyFacts {
  readonly id: StrategyId
  /** One short line for the picker, in each language. */
  readonly summary: Readonly<Record<Language, string>>
  readonly callsBy: CallsBy
  readonly dialect: Dialect
  readonly promptParts: (tools: readonly ToolSpec[]) => readonly PromptPart[]
  /** `neutralise` for a form that writes values as JSON inside of other markup, and must escape marks in it. */
  readonly formatCalls: (calls: readonly CallToWrite[], neutralise: Neutraliser) => string
  /** How a right call is shown to the model in words, where that is not what `formatCalls` writes. */
  readonly showCalls?: (calls: readonly CallToWrite[]) => string
  /** Everything that is foreign in a result goes through `neutralise`. */
  readonly formatResults: (
    results: readonly ResultToWrite[],
    boundary: string,
    neutralise: Neutraliser,
  ) => FramedResults
  /** A scanner of its own, where calls are told from text by more than their dialect. */
  readonly createScanner?: (options: ScannerOptions) => ReplyScanner
}
