import type { Clock } from './clock'
import type { WaitingRun } from './queue-lines'

const TELL_EVERY_MS = 2_000

/** Tells where replies stand, for those who look from another process: what has changed, and not more often than needed. */
export function createQueueNews(ports: {
  readonly clock: Clock
  readonly tell: (places: readonly (WaitingRun & { readonly place: number })[]) => Promise<void>
  readonly log: (message: string, error: unknown) => void
}): (waiting: readonly WaitingRun[], places: ReadonlyMap<string, number>) => Promise<void> {
  let told: ReadonlyMap<string, number> = new Map()
  let toldAt = Number.NEGATIVE_INFINITY
  return async (waiting, places) => {
    if (ports.clock.monotonic() - toldAt < TELL_EVERY_MS) return
    const changed = waiting.flatMap(({ owner, runId }) => {
      const place = places.get(runId) ?? 0
      return told.get(runId) === place ? [] : [{ owner, runId, place }]
    })
    told = places
    if (changed.length === 0) return
    toldAt = ports.clock.monotonic()
    await ports.tell(changed).catch((error: unknown) => ports.log('places in the queue could not be told', error))
  }
}
