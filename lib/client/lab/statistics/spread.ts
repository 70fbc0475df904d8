/** Null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  if (upper === undefined) return null
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper
}

/** How far shares lie apart: the largest difference, and the standard deviation of these very ones. Null of fewer than two. */
export function spreadOf(
  rates: readonly number[],
): { readonly maxDifference: number; readonly deviation: number } | null {
  if (rates.length < 2) return null
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length
  return { maxDifference: Math.max(...rates) - Math.min(...rates), deviation: Math.sqrt(variance) }
}
