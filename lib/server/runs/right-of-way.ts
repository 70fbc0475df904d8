/** Below it a process has time for everything. */
const FREE_UNTIL = 0.6
/** From here on as little as can be is left to the words of old replies. */
const BUSY_FROM = 0.95
const LONGEST = 6

/**
 * By how much longer words of a reply are joined where the loop is busy for this share of its time (0 to 1): the fewer
 * events, the less a new question and a first word, which are never joined, wait behind the words of old ones.
 */
export function joinFactor(utilisation: number): number {
  const share = (utilisation - FREE_UNTIL) / (BUSY_FROM - FREE_UNTIL)
  return 1 + (LONGEST - 1) * Math.min(1, Math.max(0, share))
}
