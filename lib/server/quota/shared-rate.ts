import { msUntil } from '@/lib/base/clocks'
import type { QuotaWindow } from '@/lib/server/store/ports/quotas'
import { createSubjects } from './rate'

/** So many in a window of time, for each subject, on all nodes together. */
export interface SharedRate {
  /** Seconds to wait, or 0 when this one, of `cost` (left out: 1), may pass. Never rejects: a store that is away limits nobody. */
  wait(subject: string, cost?: number): Promise<number>
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
  /** The clock that all nodes share, or windows would not be the same ones. */
  readonly now: () => number
  readonly take: (window: QuotaWindow, cost: number, limit: number) => Promise<number | null>
}

interface Held {
  readonly startsAt: number
  used: number
  granted: number
  /** What costs so much does not fit any more. */
  tooMuch: number
  asking: Promise<void> | null
}

export function createSharedRate({ name, windowMs, limit, share, now, take }: SharedRateOptions): SharedRate {
  const windowOf = () => Math.floor(now() / windowMs) * windowMs
  const heldOf = createSubjects<Held>({
    begin: () => ({ startsAt: windowOf(), used: 0, granted: Math.min(share, limit), tooMuch: Infinity, asking: null }),
    isOver: ({ startsAt }) => startsAt !== windowOf(),
  })

  async function ask(subject: string, mine: Held, needed: number): Promise<void> {
    const window = { owner: subject, name, startsAt: mine.startsAt, endsAt: mine.startsAt + windowMs }
    const wanted = Math.max(share, needed)
    try {
      if ((await take(window, wanted, limit)) !== null) mine.granted += wanted
      // The last piece of a window is smaller than a share; of a window that is none itself, the share given away was all.
      else if (needed < wanted && share <= limit && (await take(window, needed, limit)) !== null) mine.granted += needed
      else mine.tooMuch = Math.min(mine.tooMuch, needed)
    } catch {
      mine.granted += wanted
    }
  }

  return {
    async wait(subject, cost = 1) {
      const mine = heldOf(subject)
      for (;;) {
        const needed = mine.used + cost - mine.granted
        if (needed <= 0) {
          mine.used += cost
          return 0
        }
        if (needed >= mine.tooMuch) return Math.max(1, Math.ceil(msUntil(mine.startsAt + windowMs, now()) / 1000))
        mine.asking ??= ask(subject, mine, needed).finally(() => (mine.asking = null))
        await mine.asking
      }
    },
  }
}
