import type { JsonValue } from '@/lib/base/json'
import type { StrategyFacts } from '@/lib/strategies/strategy-facts'
import type { CallToWrite, StrategyId, ToolExecuteStatus } from '@/lib/strategies/tool-context-def'

/** What the script knows of a strategy: by what its prompt is known, and how results stand in a message. */
export interface KnownStrategy extends Pick<StrategyFacts, 'signature' | 'resultFrame' | 'toldTool'> {
  readonly id: StrategyId
}

export type FormatCalls = (strategy: StrategyId, calls: readonly CallToWrite[]) => string

/** A result as the script reads it back out of a strategy's frame. */
export interface SeenResult {
  readonly name: string
  readonly status: ToolExecuteStatus
  readonly result: JsonValue
}

/** All that the script knows when it answers: read from the prompt, nothing else. */
export interface Turn {
  /** The user's last words. */
  readonly task: string
  /** The user's words before those, '' at the start. */
  readonly previousTask: string
  /** Results since those words, one list a message: its length is the step of the scene. */
  readonly rounds: readonly (readonly SeenResult[])[]
  /** The strategy that the system prompt describes, null when it describes none. */
  readonly strategy: StrategyId | null
  /** Names of the tools that the system prompt offers. */
  readonly tools: ReadonlySet<string>
  readonly formatCalls: FormatCalls
}

export const lastRound = (turn: Turn): readonly SeenResult[] => turn.rounds.at(-1) ?? []
