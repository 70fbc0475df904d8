import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import type { StrategyId, ReplyForm } from '@/lib/protocols/types/tool-context-def'

/** Who writes the replies of trials: a model of the server, or one of this browser. */
export interface TrialModel {
  /** The lines of one reply as they come. Throws `TrialRefused` when it was not asked; aborts with the signal's reason. */
  ask(request: TrialRequest, signal: AbortSignal): AsyncIterable<TrialLine>
}

/** Why a reply could not be had: no verdict on the model. */
export class TrialRefused extends Error {
  /** When to come again; null: nobody said. */
  readonly retryAfterSeconds: number | null
  /** To ask again would change nothing (a wrong key, a model that is gone, a lab that is switched off). */
  readonly isFinal: boolean

  constructor(message: string, { retryAfterSeconds = null as number | null, isFinal = false } = {}) {
    super(message)
    this.name = 'TrialRefused'
    this.retryAfterSeconds = retryAfterSeconds
    this.isFinal = isFinal
  }
}

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
