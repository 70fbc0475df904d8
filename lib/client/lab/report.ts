import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { armKey, armsOf, isSameArm, type Arm } from './trials'
import { trialOf, type LabPlan } from './plan'
import { probeKinds, type Probe, type ProbeKind } from './probe'
import {
  holm,
  mcNemar,
  type Discordance,
  medianOf,
  spreadOf,
  shareOfTrials,
  wilson,
  type ProbeTally,
  type Share,
} from './statistics/binomial'
import type { TrialRecord } from './trial-record'
import { isSuccess, type Verdict } from './verdict/judge'

/** How often a kind of probe was right under a strategy. */
export interface KindCount {
  readonly kind: ProbeKind
  readonly right: number
  readonly trials: number
}

/** The measurements of one strategy, constrained or not. Shares are null if nothing was tried. */
export interface StrategyReport extends Arm {
  readonly trials: number
  /** Of the constrained ones: how many the server enforced from the first token to the last. */
  readonly held?: number
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>
  readonly kinds: readonly KindCount[]
  readonly accuracy: Share | null
  /** Probes that were right every time, of those that were tried as often as planned. */
  readonly allOfN: Share | null
  /** Of the calls that could be read, those that had to be repaired. */
  readonly repairRate: Share | null
  /** The model's tokens per call, as its provider counts; null: there was no call. */
  readonly tokensPerCall: number | null
  /** Some of these tokens are estimated, because the provider did not count them. */
  readonly tokensEstimated: boolean
  readonly medianFirstCallMs: number | null
}

/**
 * Two strategies on the same trials, both constrained or both not; or one strategy without and with the constraint. `p`
 * is corrected for all comparisons of the report.
 */
export interface Comparison extends Discordance {
  readonly first: StrategyId
  readonly second: StrategyId
  /** Left out: it was tried without a constraint. */
  readonly firstExact?: true
  readonly secondExact?: true
  readonly pairs: number
  readonly p: number
}

export interface LabReport {
  readonly strategies: readonly StrategyReport[]
  /** Over the accuracies; null for fewer than two. */
  readonly spread: ReturnType<typeof spreadOf>
  readonly comparisons: readonly Comparison[]
}

/** The report of all trials so far, also before the last one is done. */
export function reportOf(plan: LabPlan, probes: readonly Probe[], records: readonly TrialRecord[]): LabReport {
  const sorted = Map.groupBy(records, ({ number }) => armKey(trialOf(plan, number).arm))
  const strategies = armsOf(plan).map((arm) => reportArm(arm, plan, probes, sorted.get(armKey(arm)) ?? []))
  const rates = strategies.flatMap(({ accuracy }) => accuracy?.rate ?? [])
  return { strategies, spread: spreadOf(rates), comparisons: compareAll(plan, records) }
}

function reportArm(arm: Arm, plan: LabPlan, probes: readonly Probe[], records: readonly TrialRecord[]): StrategyReport {
  const byProbe = new Map<number, ProbeTally>()
  const byKind = new Map<ProbeKind, { right: number; trials: number }>()
  const verdicts: Partial<Record<Verdict, number>> = {}
  const written = { tokens: 0, calls: 0, estimated: false }
  let repaired = 0
  for (const record of records) {
    const { probe } = trialOf(plan, record.number)
    const right = isSuccess(record.verdict) ? 1 : 0
    const tally = byProbe.get(probe) ?? { right: 0, trials: 0 }
    byProbe.set(probe, { right: tally.right + right, trials: tally.trials + 1 })
    const kind = probes[probe]?.kind ?? 'imported'
    const count = byKind.get(kind) ?? { right: 0, trials: 0 }
    byKind.set(kind, { right: count.right + right, trials: count.trials + 1 })
    verdicts[record.verdict] = (verdicts[record.verdict] ?? 0) + 1
    if (record.calls === 0) continue
    repaired += record.repaired
    written.calls += record.calls
    for (const { tokensOut, text, reasoning } of record.rounds) {
      written.tokens += tokensOut ?? estimateTokens(reasoning + text)
      written.estimated ||= tokensOut === null
    }
  }
  const tallies = [...byProbe.values()]
  const whole = tallies.filter(({ trials }) => trials === plan.trials)
  const always = whole.filter(({ right, trials }) => right === trials).length
  return {
    ...arm,
    trials: records.length,
    ...(arm.exact && { held: records.filter(({ exact }) => exact === 'honoured').length }),
    verdicts,
    kinds: probeKinds.flatMap((kind): readonly KindCount[] => {
      const found = byKind.get(kind)
      return found ? [{ kind, ...found }] : []
    }),
    accuracy: shareOfTrials(tallies),
    allOfN: whole.length === 0 ? null : wilson(always / whole.length, whole.length),
    repairRate: wilson(repaired / Math.max(1, written.calls), written.calls),
    tokensPerCall: written.calls === 0 ? null : written.tokens / written.calls,
    tokensEstimated: written.estimated,
    medianFirstCallMs: medianOf(records.flatMap(({ firstCallMs }) => firstCallMs ?? [])),
  }
}

/** Each pair worth a sentence, on the trials that both have: the same probe for the same time. */
function compareAll(plan: LabPlan, records: readonly TrialRecord[]): readonly Comparison[] {
  const arms = armsOf(plan)
  const perArm = plan.probeCount * plan.trials
  /** By the number within an arm: 1 right, 0 wrong, absent: not tried. */
  const outcomes = new Map(arms.map((arm) => [armKey(arm), new Map<number, boolean>()]))
  for (const { number, verdict } of records) {
    outcomes.get(armKey(trialOf(plan, number).arm))?.set(number % perArm, isSuccess(verdict))
  }
  const raw = arms.flatMap((one, at) => {
    const others = arms.slice(at + 1).filter((other) => one.exact === other.exact || one.strategy === other.strategy)
    return others.map((other): Comparison => {
      const ofSecond = outcomes.get(armKey(other))
      let [pairs, onlyFirst, onlySecond] = [0, 0, 0]
      for (const [number, right] of outcomes.get(armKey(one)) ?? []) {
        const wasRight = ofSecond?.get(number)
        if (wasRight === undefined) continue
        pairs += 1
        if (right && !wasRight) onlyFirst += 1
        if (!right && wasRight) onlySecond += 1
      }
      const p = mcNemar({ onlyFirst, onlySecond })
      return { ...namesOf(one, other), pairs, onlyFirst, onlySecond, p }
    })
  })
  const tried = raw.filter(({ pairs }) => pairs > 0)
  const corrected = holm(tried.map(({ p }) => p))
  return tried.map((comparison, at) => ({ ...comparison, p: corrected[at] ?? 1 }))
}

const namesOf = (one: Arm, other: Arm) => ({
  first: one.strategy,
  second: other.strategy,
  ...(one.exact && { firstExact: one.exact }),
  ...(other.exact && { secondExact: other.exact }),
})

/** What a comparison compares. */
export const armsIn = (
  one: Omit<Comparison, keyof Discordance | 'pairs' | 'p'>,
): readonly [first: Arm, second: Arm] => [
  { strategy: one.first, ...(one.firstExact && { exact: one.firstExact }) },
  { strategy: one.second, ...(one.secondExact && { exact: one.secondExact }) },
]

/** A difference with a smaller p counts as shown. */
export const SIGNIFICANCE = 0.05

/**
 * The strategy with the highest accuracy, constrained or not, if at least one other strategy is shown to be worse;
 * null: none is shown to be better.
 */
export function bestOf({ strategies, comparisons }: Pick<LabReport, 'strategies' | 'comparisons'>): StrategyId | null {
  const [best] = strategies.toSorted((a, b) => (b.accuracy?.rate ?? -1) - (a.accuracy?.rate ?? -1))
  if (!best?.accuracy) return null
  const beats = comparisons.some((one) => {
    const [first, second] = armsIn(one)
    const { onlyFirst, onlySecond, p } = one
    if (p >= SIGNIFICANCE || first.strategy === second.strategy) return false
    return (isSameArm(first, best) && onlyFirst > onlySecond) || (isSameArm(second, best) && onlySecond > onlyFirst)
  })
  return beats ? best.strategy : null
}
