import { msBefore, type EpochMs, clockDifference, type MonotonicMs } from '@/lib/base/clocks'
import { setImmediate as turn } from 'node:timers/promises'
import { plural } from '@/lib/base/text/locale'
import { deletedRetentionMs } from '@/lib/shared/conversation/search/list-filter'
import type { Store } from '@/lib/server/store/ports/store'
import type { Clock } from '@/lib/server/runs/clock'

const DAY_MS = 24 * 60 * 60 * 1000
const EVERY_MS = 60_000
/** Rows of one step: a server that is told to forget years does it in small ones. */
const AT_ONCE = 50
/** Of each minute, at most: what is left then waits for the next one. */
const SWEEP_MS = 10_000
/** Longer than any page holds on to a message that it could not send. */
const REQUESTS_KEPT_DAYS = 120

export interface RetentionDays {
  /** null: never. */
  readonly retention: number | null
  readonly orphans: number
}

type SweptStore = Pick<
  Store,
  | 'purgeErased'
  | 'sweepFairUse'
  | 'purgeDeleted'
  | 'purgeTemporary'
  | 'purgeDeletedMessages'
  | 'sweepShares'
  | 'deleteUntouched'
  | 'deleteOrphans'
  | 'forgetRuns'
>

/** What a setting deletes of people's own; anyone who runs the server reads of it. */
export type Swept = Readonly<Record<'untouched' | 'orphans', number>>

interface Chore {
  /** Null: housekeeping, of which no one needs to read. */
  readonly counts: keyof Swept | null
  /** Gives how many rows went. */
  readonly step: () => Promise<number>
}

/** `now`: null while the clock is not trusted: then nothing goes by its age. */
function choresOf(store: SweptStore, { retention, orphans }: RetentionDays, now: EpochMs | null): readonly Chore[] {
  const chore = (step: Chore['step'], counts: Chore['counts'] = null): Chore => ({ counts, step })
  const erased = chore(() => store.purgeErased(AT_ONCE))
  if (now === null) return [erased]
  return [
    erased,
    chore(() => store.sweepFairUse(now)),
    chore(() => store.purgeDeleted(msBefore(now, deletedRetentionMs), AT_ONCE)),
    chore(() => store.purgeTemporary(now, AT_ONCE)),
    chore(() => store.purgeDeletedMessages(msBefore(now, deletedRetentionMs), AT_ONCE)),
    chore(() => store.sweepShares(now, AT_ONCE)),
    ...(retention === null
      ? []
      : [chore(() => store.deleteUntouched(msBefore(now, retention * DAY_MS), AT_ONCE), 'untouched')]),
    chore(() => store.deleteOrphans(msBefore(now, orphans * DAY_MS), AT_ONCE), 'orphans'),
    chore(() => store.forgetRuns(msBefore(now, REQUESTS_KEPT_DAYS * DAY_MS), AT_ONCE)),
  ]
}

/**
 * Deletes what is due, step by step and each kind in its turn, until nothing is left of any or `isOver` says that it was enough; each
 * has one step at least. Gives how many went. Any number of nodes may do it at once: each row goes once, and gone is gone.
 */
export async function cleanUpData(
  store: SweptStore,
  days: RetentionDays,
  { now, isOver }: { readonly now: EpochMs | null; readonly isOver: () => boolean },
): Promise<Swept> {
  const swept = { untouched: 0, orphans: 0 }
  for (let due = choresOf(store, days, now); due.length > 0;) {
    const left: (typeof due)[number][] = []
    for (const chore of due) {
      const gone = await chore.step()
      if (chore.counts !== null) swept[chore.counts] += gone
      if (gone > 0) left.push(chore)
      // Requests come in between.
      await turn()
    }
    due = isOver() ? [] : left
  }
  return swept
}

/** What was deleted, as a line of the log each: with it a wrong setting is noticed. */
export const sweptLines = ({ untouched, orphans }: Swept, days: RetentionDays): readonly string[] => [
  ...(untouched > 0
    ? [`Deleted ${counted(untouched, 'chat')} that nobody touched for ${days.retention} days (NOD_RETENTION_DAYS).`]
    : []),
  ...(orphans > 0
    ? [
        `Deleted ${counted(orphans, 'row')} of visitors without an account who were not here for ${days.orphans} days, and of their chats (NOD_ORPHAN_DAYS).`,
      ]
    : []),
]

const counted = (count: number, one: string): string => `${count} ${plural(count, { one, other: `${one}s` })}`

/** Sweeps now and then; a store that is away is tried again. Gives the way to end it. */
export function startDataCleanup(
  store: Store,
  days: RetentionDays,
  {
    now,
    mayDelete,
    log,
    tell,
  }: {
    readonly now: () => EpochMs
    /** Whether the clock is trusted, so that what is old by it may go. */
    readonly mayDelete: () => Promise<boolean>
    readonly log: (message: string, error: unknown) => void
    readonly tell: (line: string) => void
  },
): () => void {
  let busy = false
  let isStopped = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    const from = performance.now()
    const isOver = () => isStopped || performance.now() - from >= SWEEP_MS
    void mayDelete()
      .then((may) => cleanUpData(store, days, { now: may ? now() : null, isOver }))
      .then((swept) => sweptLines(swept, days).forEach(tell))
      .catch((error: unknown) => log('what is to be forgotten could not be deleted', error))
      .finally(() => (busy = false))
  }, EVERY_MS)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/** A clock that is off by no more than this is believed. */
const SLACK_MS = 5 * 60_000
/** However far the clock jumped: after so long someone would have set it right. */
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
 * everything look old. So time counts as trusted only if this process measured it, or the database saw it before. Time that no one saw
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
