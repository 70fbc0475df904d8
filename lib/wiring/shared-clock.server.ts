import type { Clock } from '@/lib/chat/clock'

/** Clocks that differ by less count as one: a node's own is finer than any question, and never goes back. */
const SLACK_MS = 1_000

export interface SharedClock extends Clock {
  /** Compares with the store's clock; asked at the start and then now and then. Rejects with what the store says. */
  look(): Promise<void>
}

/**
 * The clock by which nodes of one store agree on what an hour or a day is, whatever their own say: windows of fair use, days of
 * budgets, and what is written beside rows. `ask`: the store's clock, epoch milliseconds.
 */
export function createSharedClock(own: Clock, ask: () => Promise<number>): SharedClock {
  let aheadMs = 0
  return {
    now: () => own.now() + aheadMs,
    after: (ms, task) => own.after(ms, task),
    async look() {
      const before = own.now()
      const said = await ask()
      const after = own.now()
      // An answer that took long says nothing about this moment.
      if (after - before > SLACK_MS) return
      const foundMs = said - (before + after) / 2
      if (Math.abs(foundMs - aheadMs) <= SLACK_MS) return
      aheadMs = Math.abs(foundMs) <= SLACK_MS ? 0 : Math.round(foundMs)
    },
  }
}
