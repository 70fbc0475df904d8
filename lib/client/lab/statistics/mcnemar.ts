import { atMostHeads, twoSided } from './binomial'

/** Two strategies on the same trials: how often one was right where the other was not. */
export interface Discordance {
  readonly onlyFirst: number
  readonly onlySecond: number
}

/** So many discordant pairs that the exact sum says the same as the normal curve. */
const EXACT_UP_TO = 1_000

/**
 * McNemar's test: the chance of a difference as large or larger if both were as good, on every probe. Exact for up to a
 * thousand discordant pairs, else with Edwards' correction.
 */
export function mcNemar({ onlyFirst, onlySecond }: Discordance): number {
  const pairs = onlyFirst + onlySecond
  if (pairs === 0) return 1
  if (pairs <= EXACT_UP_TO) return Math.min(1, 2 * atMostHeads(Math.min(onlyFirst, onlySecond), pairs))
  return twoSided(Math.max(0, Math.abs(onlyFirst - onlySecond) - 1) / Math.sqrt(pairs))
}

/** Holm's correction where several are compared: each p made larger, so that 0.05 holds for all of them together. */
export function holm(ps: readonly number[]): readonly number[] {
  const order = [...ps.keys()].toSorted((a, b) => (ps[a] ?? 0) - (ps[b] ?? 0))
  const adjusted = ps.map(() => 1)
  let floor = 0
  for (const [rank, at] of order.entries()) {
    floor = Math.max(floor, Math.min(1, (ps[at] ?? 0) * (ps.length - rank)))
    adjusted[at] = floor
  }
  return adjusted
}
