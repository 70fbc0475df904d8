import { msBefore, type EpochMs, clockDifference, type MonotonicMs } from '@/lib/base/clocks'
import { setImmediate as turn } from 'node:timers/promises'
import { plural } from '@/lib/base/text/locale'
import { deletedRetentionMs } from '@/lib/shared/conversation/search/list-filter'
import type { Store } from '@/lib/server/store/ports/store'
import type { Clock } from '@/lib/server/runs/clock'

/** A new message can be found after this time. */
const INDEX_EVERY_MS = 2_000
/** About ten milliseconds of work: responses are written on the same thread. */
const INDEXED_AT_ONCE = 20
const PAUSE_MS = 30
/**
 * While the loop is busier than this, replies have priority. Two nodes on two cores are fully loaded at half a loop
 * each.
 */
const BUSY = 0.5
/** But not for more than half a minute. */
const MOST_SKIPPED = 15

/** Indexes due messages in small steps, with other work in between. */
async function indexDue(store: Pick<Store, 'indexWords'>, pause: () => Promise<unknown>, isOver: () => boolean) {
  while (!isOver() && (await store.indexWords(INDEXED_AT_ONCE)) > 0) await pause()
}

/**
 * Indexes new messages regularly after they were written; after an update all of them. Retries after a failure. Waits
 * while the process is busy (`utilisation`, 0 to 1). Returns a function that ends it.
 */
export function startIndexing(
  store: Pick<Store, 'indexWords'>,
  log: (message: string, error: unknown) => void,
  utilisation: () => number = () => 0,
): () => void {
  let busy = false
  let skipped = 0
  let over = false
  const timer = setInterval(() => {
    if (busy) return
    skipped = utilisation() > BUSY && skipped < MOST_SKIPPED ? skipped + 1 : 0
    if (skipped > 0) return
    busy = true
    void indexDue(
      store,
      () => new Promise((go) => setTimeout(go, PAUSE_MS)),
      () => over,
    )
      .catch((error: unknown) => (over ? undefined : log('words of messages could not be read for the search', error)))
      .finally(() => (busy = false))
  }, INDEX_EVERY_MS)
  timer.unref()
  return () => {
    over = true
    clearInterval(timer)
  }
}

const DAY_MS = 24 * 60 * 60 * 1000
const EVERY_MS = 60_000
/** Rows per step, so that deleting years of data happens in small steps. */
const AT_ONCE = 50
/** The longest sweep per minute: what is left then waits for the next one. */
const SWEEP_MS = 10_000
/** Longer than any page keeps a message that it could not send. */
const REQUESTS_KEPT_DAYS = 120

export interface RetentionDays {
  /** Null: never. */
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

/** User data deleted because of a setting; it is logged for the operator. */
export type Swept = Readonly<Record<'untouched' | 'orphans', number>>

interface Chore {
  /** Null: internal cleanup that is not reported. */
  readonly counts: keyof Swept | null
  /** Returns the number of deleted rows. */
  readonly step: () => Promise<number>
}

/** `now`: null while the clock is not trusted: then nothing is deleted by age. */
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
 * Deletes due data step by step, all kinds in turn, until nothing is left or `isOver` ends the sweep; each kind gets at
 * least one step. Returns how many rows were deleted. Any number of nodes may run it at once: each row is deleted and
 * counted once.
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
      // Lets requests run in between.
      await turn()
    }
    due = isOver() ? [] : left
  }
  return swept
}

/** One log line per kind of deleted data, so that a wrong setting is noticed. */
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

/** Sweeps regularly, and retries after a failure. Returns a function that ends it. */
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
    /** Whether the clock is trusted, so that data may be deleted by age. */
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

/** A clock difference up to this is accepted. */
const SLACK_MS = 5 * 60_000
/** However far the clock jumped: after this time, the operator would have corrected it. */
const LONGEST_HOLD_MS = 6 * 3_600_000

interface Reading {
  readonly epoch: EpochMs
  readonly at: MonotonicMs
}

interface Hold extends Reading {
  readonly forMs: number
}

/**
 * Decides whether old data may be deleted by its age now. A clock that jumped ahead, while the server was running or
 * stopped, makes everything look old. So a time is trusted only if this process measured it, or the database recorded
 * it before. Time that nobody measured is accepted after the server has run for as long again, six hours at most. The
 * database stores the last trusted time, so restarting with a wrong date does not help. A clock that was set back
 * deletes less, so it is accepted at once.
 */
export function createDeletionGuard(ports: {
  readonly store: Pick<Store, 'trustedTime' | 'recordTrustedTime'>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly log: (message: string) => void
}): () => Promise<boolean> {
  const { store, clock, log } = ports
  let trusted: Reading | null = null
  let hold: Hold | null = null

  /** How far the clock moved ahead of the time that passed since a reading. */
  const aheadMs = (from: Reading, now: Reading): number => clockDifference(now.epoch, from.epoch) - (now.at - from.at)

  async function unseenMs(now: Reading): Promise<number> {
    if (trusted) {
      const ahead = aheadMs(trusted, now)
      if (ahead <= SLACK_MS) return 0
    }
    const seen = await store.trustedTime()
    // A new database has no old data.
    return seen === null ? 0 : clockDifference(now.epoch, seen)
  }

  async function trust(now: Reading): Promise<true> {
    await store.recordTrustedTime(now.epoch)
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
