import type { ReplyForm } from '@/lib/protocols/types/reply-form'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'

/** What is compared: a strategy, with replies that are asked to be exact or as ever. */
export interface Arm {
  readonly strategy: StrategyId
  /** Left out: as ever. */
  readonly exact?: true
}

/** All of a plan: each strategy as ever, and behind them those that are tried exact, too. */
export const armsOf = ({
  strategies,
  exact = [],
}: {
  readonly strategies: readonly StrategyId[]
  readonly exact?: readonly StrategyId[]
}): readonly Arm[] => [
  ...strategies.map((strategy) => ({ strategy })),
  ...exact.map((strategy) => ({ strategy, exact: true as const })),
]

/** The same for the same arm; another one for another. */
export const armKey = ({ strategy, exact }: Arm): string => (exact ? `${strategy} exact` : strategy)

export const isSameArm = (one: Arm, other: Arm): boolean => armKey(one) === armKey(other)

/** How replies of an arm are written and read. `takesSchema`: exact replies are held by a schema, which binds them whole. */
export const formOfArm = ({ strategy, exact }: Arm, { takesSchema }: { readonly takesSchema?: true }): ReplyForm =>
  exact && takesSchema ? 'whole' : strategy
