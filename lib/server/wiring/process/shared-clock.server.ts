import { clockDifference, type EpochMs, type MonotonicMs } from '@/lib/base/clocks'
import type { Clock } from '@/lib/server/runs/clock'

/** Clocks that differ by less count as equal: a node's own clock is more precise than a query. */
const SLACK_MS = 1_000

export interface SharedClock extends Clock {
  /** Compares with the store's clock; called at the start and then regularly. Rejects with the store's error. */
  look(): Promise<void>
  /** Calls `look`, then returns `steppedAt`. */
  lastStep(): Promise<MonotonicMs>
  /** When `look` last found that the store's clock had jumped; negative infinity: never. */
  steppedAt(): MonotonicMs
}

/**
 * The clock by which nodes of one store agree on hours and days, whatever their own clocks say: for rate windows, daily
 * budgets, and the times in rows. It starts from the store's clock and continues with the monotonic clock, so changing
 * a node's own clock has no effect. A jump of the store's clock is followed with the next `look`. `ask`: reads the
 * store's clock.
 */
export function createSharedClock(own: Clock, ask: () => Promise<EpochMs>): SharedClock {
  let from = { epoch: own.now(), at: own.monotonic() }
  let wall = from
  let isAsked = false
  let steppedAt: MonotonicMs = Number.NEGATIVE_INFINITY
  const timeAt = (at: MonotonicMs): EpochMs => Math.round(from.epoch + (at - from.at))

  async function look(): Promise<void> {
    const before = own.monotonic()
    const answer = await ask()
    const after = own.monotonic()
    // A slow answer says nothing about this moment.
    if (after - before > SLACK_MS) return
    const middle = (before + after) / 2
    const jumped = Math.abs(clockDifference(answer, timeAt(middle))) > SLACK_MS
    if (jumped) from = { epoch: answer, at: middle }
    if (jumped && isAsked) steppedAt = after
    isAsked = true
  }

  /** Notices before the next regular check that the machine slept or its clock was corrected. */
  function noticeOwnJump(at: MonotonicMs): void {
    const reading = { epoch: own.now(), at }
    const jumpMs = clockDifference(reading.epoch, wall.epoch) - (at - wall.at)
    if (Math.abs(jumpMs) <= SLACK_MS) return
    wall = reading
    void look().catch(() => {})
  }

  return {
    now() {
      const at = own.monotonic()
      noticeOwnJump(at)
      return timeAt(at)
    },
    monotonic: () => own.monotonic(),
    after: (ms, task) => own.after(ms, task),
    look,
    async lastStep() {
      await look()
      return steppedAt
    },
    steppedAt: () => steppedAt,
  }
}
