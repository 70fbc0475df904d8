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
 * What a strategy's folder must provide; leaving something out does not compile. The registry turns it into a
 * `ToolContextDef`, whose scanner treats the other dialects as foreign and whose results contain no mark of any
 * strategy.
 */
export interface StrategyModule extends StrategyFacts {
  readonly id: StrategyId
  /** One short line for the picker, in each language. */
  readonly summary: Readonly<Record<Language, string>>
  readonly callsBy: CallsBy
  readonly dialect: Dialect
  readonly promptParts: (tools: readonly ToolSpec[]) => readonly PromptPart[]
  /**
   * Writes calls. `neutralise` is for a form that writes values as JSON inside other markup, and must escape marks in
   * it.
   */
  readonly formatCalls: (calls: readonly CallToWrite[], neutralise: Neutraliser) => string
  /** How a valid call is shown to the model as text, if it differs from `formatCalls`. */
  readonly showCalls?: (calls: readonly CallToWrite[]) => string
  /** Writes results; all untrusted text in them must go through `neutralise`. */
  readonly formatResults: (
    results: readonly ResultToWrite[],
    boundary: string,
    neutralise: Neutraliser,
  ) => FramedResults
  /** Creates the strategy's own scanner, if its dialect alone can't separate calls from text. */
  readonly createScanner?: (options: ScannerOptions) => ReplyScanner
}
