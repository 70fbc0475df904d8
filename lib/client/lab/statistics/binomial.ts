/** Logarithms of factorials up to `n`, summed. */
function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1)
  for (let i = 2; i <= n; i++) logs[i] = (logs[i - 1] ?? 0) + Math.log(i)
  return logs
}

/** The probability of at most `k` heads in `n` throws of a fair coin. */
export function atMostHeads(k: number, n: number): number {
  if (k < 0) return 0
  if (k >= n) return 1
  const logs = logFactorials(n)
  const log = (i: number) => logs[i] ?? 0
  let sum = 0
  // From the largest term down, so that small terms are not lost in rounding.
  for (let i = k; i >= 0; i--) {
    const term = Math.exp(log(n) - log(i) - log(n - i) - n * Math.LN2)
    sum += term
    if (term < sum * 1e-18) break
  }
  return Math.min(1, sum)
}

/**
 * The probability that a standard normal variable is further from 0 than `z`, on either side; relative error up to
 * 1e-7.
 */
export function twoSided(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  // Numerical Recipes' erfc by a Chebyshev fit.
  const t = 1 / (1 + 0.5 * x)
  const poly = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ]
  const sum = poly.reduceRight((rest, factor) => factor + t * rest, 0)
  return Math.min(1, t * Math.exp(-x * x + sum))
}

/** Two strategies on the same trials: how often one was right where the other was not. */
export interface Discordance {
  readonly onlyFirst: number
  readonly onlySecond: number
}

/** Beyond this many discordant pairs the normal approximation equals the exact sum. */
const EXACT_UP_TO = 1_000

/**
 * McNemar's test: the probability of a difference at least this large if both were equally good, on every probe. Exact
 * for up to a thousand discordant pairs, else with Edwards' correction.
 */
export function mcNemar({ onlyFirst, onlySecond }: Discordance): number {
  const pairs = onlyFirst + onlySecond
  if (pairs === 0) return 1
  if (pairs <= EXACT_UP_TO) return Math.min(1, 2 * atMostHeads(Math.min(onlyFirst, onlySecond), pairs))
  return twoSided(Math.max(0, Math.abs(onlyFirst - onlySecond) - 1) / Math.sqrt(pairs))
}

/** Holm's correction for several comparisons: each p is increased, so that 0.05 holds for all of them together. */
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

/** Null for an empty list. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  if (upper === undefined) return null
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper
}

/** The spread of shares: the largest difference, and their standard deviation. Null for fewer than two. */
export function spreadOf(
  rates: readonly number[],
): { readonly maxDifference: number; readonly deviation: number } | null {
  if (rates.length < 2) return null
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length
  return { maxDifference: Math.max(...rates) - Math.min(...rates), deviation: Math.sqrt(variance) }
}

/** A share with its 95 % confidence interval. */
export interface Share {
  readonly rate: number
  readonly low: number
  readonly high: number
  readonly count: number
}

/** 97.5 % of a standard normal distribution lie below it. */
export const Z_95 = 1.959963984540054

/**
 * Wilson's interval of a share; null for none. `count` may be fractional, if trials count less than independent ones.
 */
export function wilson(rate: number, count: number, z = Z_95): Share | null {
  if (count <= 0) return null
  const zz = z * z
  const middle = (rate + zz / (2 * count)) / (1 + zz / count)
  const half = (z / (1 + zz / count)) * Math.sqrt((rate * (1 - rate)) / count + zz / (4 * count * count))
  const low = rate === 0 ? 0 : Math.max(0, middle - half)
  const high = rate === 1 ? 1 : Math.min(1, middle + half)
  return { rate, low, high, count }
}

/** The outcome of all trials of one probe. */
export interface ProbeTally {
  readonly right: number
  readonly trials: number
}

/**
 * The share of right trials, for probes like these. Trials of one probe resemble each other, so three trials of one
 * probe say less than one each of three. The variance between probes is measured, and the count reduced by the ratio to
 * the variance of independent trials (Kish's design effect), down to at least the number of probes.
 */
export function shareOfTrials(tallies: readonly ProbeTally[]): Share | null {
  const tried = tallies.filter(({ trials }) => trials > 0)
  const trials = tried.reduce((sum, one) => sum + one.trials, 0)
  if (trials === 0) return null
  const rate = tried.reduce((sum, { right }) => sum + right, 0) / trials
  return wilson(rate, trials / designEffect(tried, rate, trials))
}

function designEffect(tallies: readonly ProbeTally[], rate: number, trials: number): number {
  const probes = tallies.length
  const independent = (rate * (1 - rate)) / trials
  // If all were alike, their correlation is unknown: each probe counts once.
  if (probes < 2 || independent === 0) return trials / probes
  // The variance of a ratio by its residuals, one per probe.
  const residuals = tallies.reduce((sum, { right, trials: n }) => sum + (right - rate * n) ** 2, 0)
  const variance = ((probes / (probes - 1)) * residuals) / (trials * trials)
  return Math.min(Math.max(1, variance / independent), trials / probes)
}
