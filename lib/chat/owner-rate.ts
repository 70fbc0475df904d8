/** Lets bursts through and holds floods back: a bucket of `burst` requests an owner that refills at `perSecond`. */
export interface RateLimit {
  /** Seconds to wait, or 0 when the request may pass. */
  take(owner: string): number
  /** Whether `take` would have to wait; takes nothing. */
  isEmpty(owner: string): boolean
}

/** In memory, a process: a guard against runaway clients, not a quota. Forgets owners whose bucket is full again. */
export function createRateLimit(options: {
  readonly burst: number
  readonly perSecond: number
  readonly now: () => number
  readonly maxOwners?: number
}): RateLimit {
  const { burst, perSecond, now, maxOwners = 10_000 } = options
  const buckets = new Map<string, { readonly level: number; readonly at: number }>()
  const levelOf = (owner: string): number => {
    const bucket = buckets.get(owner)
    return bucket ? Math.min(burst, bucket.level + ((now() - bucket.at) / 1000) * perSecond) : burst
  }
  const forget = () => {
    for (const owner of buckets.keys()) if (levelOf(owner) >= burst) buckets.delete(owner)
    // All of them busy: the oldest go, which at worst lets a flood breathe.
    for (const owner of buckets.keys()) {
      if (buckets.size < maxOwners) break
      buckets.delete(owner)
    }
  }
  return {
    isEmpty: (owner) => levelOf(owner) < 1,

    take(owner) {
      if (buckets.size >= maxOwners && !buckets.has(owner)) forget()
      const level = levelOf(owner)
      if (level < 1) return Math.ceil((1 - level) / perSecond)
      buckets.delete(owner)
      buckets.set(owner, { level: level - 1, at: now() })
      return 0
    },
  }
}
