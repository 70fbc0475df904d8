import { msBefore, type EpochMs } from '@/lib/base/clocks'
import { setImmediate as turn } from 'node:timers/promises'
import { keepDeletedMs } from '@/lib/conversation/shelf'
import type { Store } from '@/lib/store/store'

const DAY_MS = 24 * 60 * 60 * 1000
const EVERY_MS = 60_000
/** Rows of one step: a server that is told to forget years does it in small ones. */
const AT_ONCE = 50
/** Of each minute, at most: what is left then waits for the next one. */
const SWEEP_MS = 10_000
/** Longer than any page holds on to a message that it could not send. */
const REQUESTS_KEPT_DAYS = 120

export interface SweepDays {
  /** null: never. */
  readonly retention: number | null
  readonly orphans: number
}

type SweptStore = Pick<
  Store,
  'purgeErased' | 'sweepFairUse' | 'purgeDeleted' | 'sweepShares' | 'deleteUntouched' | 'deleteOrphans' | 'forgetRuns'
>

/** A step gives how many rows went. `now`: null while the clock is not trusted: then nothing goes by its age. */
function choresOf(
  store: SweptStore,
  { retention, orphans }: SweepDays,
  now: EpochMs | null,
): readonly (() => Promise<number>)[] {
  const erased = () => store.purgeErased(AT_ONCE)
  if (now === null) return [erased]
  return [
    erased,
    () => store.sweepFairUse(now),
    () => store.purgeDeleted(msBefore(now, keepDeletedMs), AT_ONCE),
    () => store.sweepShares(now, AT_ONCE),
    ...(retention === null ? [] : [() => store.deleteUntouched(msBefore(now, retention * DAY_MS), AT_ONCE)]),
    () => store.deleteOrphans(msBefore(now, orphans * DAY_MS), AT_ONCE),
    () => store.forgetRuns(msBefore(now, REQUESTS_KEPT_DAYS * DAY_MS), AT_ONCE),
  ]
}

/**
 * Deletes what is due, step by step and each kind in its turn, until nothing is left of any or `isOver` says that it was enough; each
 * has one step at least. Any number of nodes may do it at once: each row goes once, and gone is gone.
 */
export async function sweepData(
  store: SweptStore,
  days: SweepDays,
  { now, isOver }: { readonly now: EpochMs | null; readonly isOver: () => boolean },
): Promise<void> {
  for (let due = choresOf(store, days, now); due.length > 0;) {
    const left: (typeof due)[number][] = []
    for (const chore of due) {
      if ((await chore()) > 0) left.push(chore)
      // Requests come in between.
      await turn()
    }
    due = isOver() ? [] : left
  }
}

/** Sweeps now and then; a store that is away is tried again. Gives the way to end it. */
export function keepSweepingData(
  store: Store,
  days: SweepDays,
  {
    now,
    mayDelete,
    log,
  }: {
    readonly now: () => EpochMs
    /** Whether the clock is trusted, so that what is old by it may go. */
    readonly mayDelete: () => Promise<boolean>
    readonly log: (message: string, error: unknown) => void
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
      .then((may) => sweepData(store, days, { now: may ? now() : null, isOver }))
      .catch((error: unknown) => log('what is to be forgotten could not be deleted', error))
      .finally(() => (busy = false))
  }, EVERY_MS)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
