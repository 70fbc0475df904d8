import { clockDifference, type EpochMs, type MonotonicMs } from '@/lib/base/clocks'
import type { Clock } from '@/lib/server/runs/clock'

/** Clocks that differ by less count as one: a node's own is finer than any question. */
const SLACK_MS = 1_000

export interface SharedClock extends Clock {
  /** Compares with the store's clock; asked at the start and then now and then. Rejects with what the store says. */
  look(): Promise<void>
  /** Looks, and gives what `steppedAt` does then. */
  lastStep(): Promise<MonotonicMs>
  /** When `look` last found that the store's clock had jumped; negative infinity: never. */
  steppedAt(): MonotonicMs
}

/**
 * The clock by which nodes of one store agree on what an hour or a day is, whatever their own say: windows of fair use, days of
 * budgets, and what is written beside rows. It starts from the store's clock and counts on with the monotonic clock, so setting a
 * node's own clock changes nothing. A jump of the store's clock is followed at the next `look`. `ask`: the store's clock.
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
    // An answer that took long says nothing about this moment.
    if (after - before > SLACK_MS) return
    const middle = (before + after) / 2
    const jumped = Math.abs(clockDifference(answer, timeAt(middle))) > SLACK_MS
    if (jumped) from = { epoch: answer, at: middle }
    if (jumped && isAsked) steppedAt = after
    isAsked = true
  }

  /** A machine that slept or was set right is noticed before the next regular look. */
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
