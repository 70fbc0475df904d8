/** A share, and between which values it lies with 95 % confidence. */
export interface Share {
  readonly rate: number
  readonly low: number
  readonly high: number
  readonly count: number
}

/** 97.5 % of a standard normal lie below it. */
export const Z_95 = 1.959963984540054

/**
 * Wilson's interval of a share; null of nothing. `count` may be no whole number, where trials are worth less than as many
 * independent ones.
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

/** What became of all trials of one probe. */
export interface ProbeTally {
  readonly right: number
  readonly trials: number
}

/**
 * The share of trials that were right, for probes like these. Trials of one probe resemble each other, so that three of one
 * say less than three of three: the variance between probes is measured, and the count cut down by as much as it is larger
 * than that of independent trials would be (Kish's design effect), to no less than the number of probes.
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
  // Where all were alike nothing says how much they resemble each other: a probe counts once.
  if (probes < 2 || independent === 0) return trials / probes
  // The variance of a ratio by its residuals, a probe each.
  const residuals = tallies.reduce((sum, { right, trials: n }) => sum + (right - rate * n) ** 2, 0)
  const variance = ((probes / (probes - 1)) * residuals) / (trials * trials)
  return Math.min(Math.max(1, variance / independent), trials / probes)
}
