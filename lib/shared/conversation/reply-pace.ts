import type { MonotonicClock } from '@/lib/base/clocks'
import type { ReplyPace } from './conversation'

export interface PaceWatch {
  /** The model is asked now; again where it is asked once more before it wrote anything. */
  readonly asked: () => void
  /** A word came. */
  readonly wrote: () => void
  /** Left out: no word came. */
  readonly end: () => { readonly pace?: ReplyPace }
}

/** Looks at a clock, milliseconds, while a reply is written. */
export function createPaceWatch(monotonic: MonotonicClock): PaceWatch {
  let askedAt = monotonic()
  let firstMs: number | null = null
  return {
    asked() {
      if (firstMs === null) askedAt = monotonic()
    },
    wrote() {
      firstMs ??= Math.max(0, Math.round(monotonic() - askedAt))
    },
    end: () =>
      firstMs === null ? {} : { pace: { firstMs, ms: Math.max(firstMs, Math.round(monotonic() - askedAt)) } },
  }
}
