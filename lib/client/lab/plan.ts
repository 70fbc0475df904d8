import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { armsOf } from './arm'
import type { TrialKey } from './probe'

/** What is tried, and in which order: all of it follows from these. */
export interface LabPlan {
  readonly probeCount: number
  readonly strategies: readonly StrategyId[]
  /** Those of them that are tried a second time, with replies that are asked to be exact; left out: none. */
  readonly exact?: readonly StrategyId[]
  /** How often each probe is tried under each strategy. */
  readonly trials: number
  readonly seed: number
}

export const trialCount = (plan: Omit<LabPlan, 'seed'>): number => plan.probeCount * armsOf(plan).length * plan.trials

/** The trial of a number; numbers are given once and for all, whatever the order. */
export function trialOf(plan: LabPlan, number: number): TrialKey {
  const { probeCount, trials } = plan
  const arm = armsOf(plan)[Math.floor(number / (probeCount * trials))]
  if (arm === undefined) throw new RangeError(`no trial ${number} in this plan`)
  const rest = number % (probeCount * trials)
  return { arm, probe: rest % probeCount, trial: Math.floor(rest / probeCount) }
}

/**
 * All numbers in the order of the seed: shuffled, so that a server which gets slower or is changed midway does the same to all
 * strategies, and so that the first hundred already say something of each.
 */
export function labOrder(plan: LabPlan): Uint32Array {
  const order = new Uint32Array(trialCount(plan))
  for (const at of order.keys()) order[at] = at
  const random = labRandom(plan.seed)
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const held = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = held
  }
  return order
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function labRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
