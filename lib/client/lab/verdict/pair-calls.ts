/**
 * Pairs calls with those that are expected so that as many as can be fit, in any order. Gives for each call the place of its
 * partner, or null. `fits[call][expected]`.
 */
export function pairCalls(fits: readonly (readonly boolean[])[]): readonly (number | null)[] {
  const callOf = new Map<number, number>()

  /** Finds a partner, also by moving those that have another choice. */
  function place(call: number, seen: Set<number>): boolean {
    for (const [expected, fit] of (fits[call] ?? []).entries()) {
      if (!fit || seen.has(expected)) continue
      seen.add(expected)
      const holder = callOf.get(expected)
      if (holder !== undefined && !place(holder, seen)) continue
      callOf.set(expected, call)
      return true
    }
    return false
  }

  for (const call of fits.keys()) place(call, new Set())
  const partners = new Map([...callOf].map(([expected, call]) => [call, expected]))
  return fits.map((_, call) => partners.get(call) ?? null)
}
