import { keepDeletedMs } from '@/lib/conversation/shelf'
import type { Store } from '@/lib/store/store'

const DAY_MS = 24 * 60 * 60 * 1000
const EVERY_MS = 60_000
/** Chats of one sweep: a server that is told to forget years does it in small steps. */
const AT_ONCE = 50
/** Longer than any page holds on to a message that it could not send. */
const REQUESTS_KEPT_DAYS = 120

export interface SweepDays {
  /** null: never. */
  readonly retention: number | null
  readonly orphans: number
}

/** What one sweep deletes. Any number of nodes may do it at once: each row goes once, and gone is gone. */
export async function sweepData(store: Store, { retention, orphans }: SweepDays, now: number): Promise<void> {
  await store.sweepFairUse(now)
  await store.purgeDeleted(now - keepDeletedMs, AT_ONCE)
  await store.sweepShares(now, AT_ONCE)
  if (retention !== null) await store.deleteUntouched(now - retention * DAY_MS, AT_ONCE)
  await store.deleteOrphans(now - orphans * DAY_MS, AT_ONCE)
  await store.forgetRuns(now - REQUESTS_KEPT_DAYS * DAY_MS, AT_ONCE)
}

/** Sweeps now and then; a store that is away is tried again. Gives the way to end it. */
export function keepSweepingData(
  store: Store,
  days: SweepDays,
  { now, log }: { readonly now: () => number; readonly log: (message: string, error: unknown) => void },
): () => void {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void sweepData(store, days, now())
      .catch((error: unknown) => log('what is to be forgotten could not be deleted', error))
      .finally(() => (busy = false))
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
