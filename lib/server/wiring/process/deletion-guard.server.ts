import { clockDifference, type EpochMs, type MonotonicMs } from '@/lib/base/clocks'
import type { Clock } from '@/lib/server/runs/clock'
import type { Store } from '@/lib/server/store/ports/store'

/** A clock that is off by no more than this is believed. */
const SLACK_MS = 5 * 60_000
/** However far the clock jumped: after so long somebody would have set it right. */
const LONGEST_HOLD_MS = 6 * 3_600_000

interface Reading {
  readonly epoch: EpochMs
  readonly at: MonotonicMs
}

interface Hold extends Reading {
  readonly forMs: number
}

/**
 * Says whether old data may be deleted by its age now. A clock that jumped ahead, while the server ran or while it was stopped, makes
 * everything look old. So time counts as trusted only if this process measured it, or the database saw it before. Time that nobody saw
 * pass is believed after the server has run for as long again, six hours at most. The database remembers the last trusted time, so a
 * restart during a wrong date does not help it. A clock that was set back deletes less, so it is believed at once.
 */
export function createDeletionGuard(ports: {
  readonly store: Pick<Store, 'trustedTime' | 'noteTrustedTime'>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly log: (message: string) => void
}): () => Promise<boolean> {
  const { store, clock, log } = ports
  let trusted: Reading | null = null
  let hold: Hold | null = null

  /** How far the clock went ahead of the time that passed since a reading. */
  const aheadMs = (from: Reading, now: Reading): number => clockDifference(now.epoch, from.epoch) - (now.at - from.at)

  async function unseenMs(now: Reading): Promise<number> {
    if (trusted) {
      const ahead = aheadMs(trusted, now)
      if (ahead <= SLACK_MS) return 0
    }
    const seen = await store.trustedTime()
    // A new database has nothing old.
    return seen === null ? 0 : clockDifference(now.epoch, seen)
  }

  async function trust(now: Reading): Promise<true> {
    await store.noteTrustedTime(now.epoch)
    trusted = now
    hold = null
    return true
  }

  return async () => {
    const now = { epoch: clock.now(), at: clock.monotonic() }
    const unseen = await unseenMs(now)
    if (unseen <= SLACK_MS) return trust(now)
    if (hold && Math.abs(aheadMs(hold, now)) <= SLACK_MS) return now.at - hold.at >= hold.forMs ? trust(now) : false
    hold = { ...now, forMs: Math.min(unseen, LONGEST_HOLD_MS) }
    log(heldBack(unseen, hold.forMs))
    return false
  }
}

const heldBack = (unseenMs: number, forMs: number): string =>
  `The clock is ${lengthOf(unseenMs)} ahead of the last time that this database saw. Nothing is deleted by its age for the next ${lengthOf(forMs)}.`

function lengthOf(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
