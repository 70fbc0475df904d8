/** Logarithms of factorials up to `n`, summed. */
function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1)
  for (let i = 2; i <= n; i++) logs[i] = (logs[i - 1] ?? 0) + Math.log(i)
  return logs
}

/** The chance of at most `k` heads among `n` throws of a fair coin. */
export function atMostHeads(k: number, n: number): number {
  if (k < 0) return 0
  if (k >= n) return 1
  const logs = logFactorials(n)
  const log = (i: number) => logs[i] ?? 0
  let sum = 0
  // From the largest term down, so that nothing small is lost under something large.
  for (let i = k; i >= 0; i--) {
    const term = Math.exp(log(n) - log(i) - log(n - i) - n * Math.LN2)
    sum += term
    if (term < sum * 1e-18) break
  }
  return Math.min(1, sum)
}

/** The chance that a standard normal lies further from 0 than `z`, on either side; good to 1e-7 of itself. */
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
