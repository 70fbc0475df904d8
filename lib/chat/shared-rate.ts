import type { QuotaWindow } from '@/lib/store/fair-use'

/** So many in a window of time, for each subject, on all nodes together. */
export interface SharedRate {
  /** Seconds to wait, or 0 when this one may pass. Never rejects: a store that is away limits nobody. */
  wait(subject: string): Promise<number>
}

export interface SharedRateOptions {
  readonly name: string
  readonly windowMs: number
  readonly limit: number
  /**
   * A node takes so many at a time from the store, and gives as many away before it asks: who asks seldom costs no query.
   * So `limit` and as many more a node may pass in all.
   */
  readonly share: number
  readonly now: () => number
  readonly take: (window: QuotaWindow, cost: number, limit: number) => Promise<number | null>
}

interface Held {
  readonly startsAt: number
  used: number
  granted: number
  /** Nothing is left of this window. */
  over: boolean
  asking: Promise<void> | null
}

/** Subjects of one window that a process remembers. */
const MAX_HELD = 20_000

export function createSharedRate({ name, windowMs, limit, share, now, take }: SharedRateOptions): SharedRate {
  const held = new Map<string, Held>()

  function holdOf(subject: string): Held {
    const startsAt = Math.floor(now() / windowMs) * windowMs
    const known = held.get(subject)
    if (known?.startsAt === startsAt) return known
    if (held.size >= MAX_HELD) for (const [one, { startsAt: at }] of held) if (at !== startsAt) held.delete(one)
    if (held.size >= MAX_HELD) held.clear()
    const fresh: Held = { startsAt, used: 0, granted: Math.min(share, limit), over: false, asking: null }
    held.set(subject, fresh)
    return fresh
  }

  async function ask(subject: string, mine: Held): Promise<void> {
    const window = { owner: subject, name, startsAt: mine.startsAt, endsAt: mine.startsAt + windowMs }
    try {
      if ((await take(window, share, limit)) === null) mine.over = true
      else mine.granted += share
    } catch {
      mine.granted += share
    }
  }

  return {
    async wait(subject) {
      const mine = holdOf(subject)
      for (;;) {
        if (mine.used < mine.granted) {
          mine.used += 1
          return 0
        }
        if (mine.over) return Math.max(1, Math.ceil((mine.startsAt + windowMs - now()) / 1000))
        mine.asking ??= ask(subject, mine).finally(() => (mine.asking = null))
        await mine.asking
      }
    },
  }
}
