import type { JsonValue } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import type { StrategyFacts } from '@/lib/protocols/types/strategy-facts'
import { defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import type { CallToWrite, StrategyId, ToolExecuteStatus } from '@/lib/protocols/types/tool-context-def'

/** What the script knows of a strategy: by what its prompt is known, how results stand in a message, what people use it for. */
export interface KnownStrategy extends Pick<StrategyFacts, 'signature' | 'resultFrame' | 'toldTool' | 'inShort'> {
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
  /** Of the user's last words; of those before them, where they are a command alone. */
  readonly language: Language
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
  readonly known: readonly KnownStrategy[]
  readonly formatCalls: FormatCalls
}

/** Calls as the prompt wants them. */
export const write = ({ strategy, formatCalls }: Turn, calls: readonly CallToWrite[]): string =>
  formatCalls(strategy ?? defaultStrategy, calls)

/** Calls for people to look at: those that a provider makes can't be written, so they take another form. */
export const writeExample = (turn: Turn, calls: readonly CallToWrite[]): string =>
  turn.strategy === null || textForms(turn).includes(turn.strategy)
    ? write(turn, calls)
    : writeOtherDialect(turn, calls)

/** Calls in a form that is not the prompt's: the second one, and under that the first. */
export function writeOtherDialect(turn: Turn, calls: readonly CallToWrite[]): string {
  const [first, second] = textForms(turn)
  return turn.formatCalls((turn.strategy === second ? first : second) ?? defaultStrategy, calls)
}

const textForms = ({ known }: Turn): readonly StrategyId[] =>
  known.flatMap(({ id, signature }) => (signature === null ? [] : id))

export const lastRound = (turn: Turn): readonly SeenResult[] => turn.rounds.at(-1) ?? []
