import type { QueuedLine, RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { waitFor, type Clock } from './clock'

/** Another writing process reports no more often than this. */
const LOOK_EVERY_MS = 2_000

interface Appearance {
  readonly place: number | null
  readonly alive: boolean
}

export type RunLines = AsyncGenerator<readonly (RunEvent | QueuedLine)[], void, undefined>

/**
 * Yields the same events, and before the first token also the changed places in the queue. A reply never returns to the
 * queue, so the first null is final; for a reply that never waited nothing is reported. Then reports once that the
 * model's server is alive.
 */
export async function* withPlaces(
  events: AsyncGenerator<readonly RunEvent[], void, undefined>,
  {
    placeOf,
    isAlive,
    clock,
  }: {
    readonly placeOf: () => Promise<number | null>
    /** Costs nothing to call. */
    readonly isAlive: () => boolean
    readonly clock: Clock
  },
): RunLines {
  const over = new AbortController()
  let reported: number | null = null
  let waits = true
  const look = async (ms: number): Promise<Appearance> => {
    if (ms > 0) await waitFor(clock, ms, over.signal)
    const place = waits && !over.signal.aborted ? await placeOf().catch(() => reported) : null
    return { place, alive: place === null && isAlive() }
  }
  let looking: ReturnType<typeof look> | null = look(0)
  let coming: Promise<IteratorResult<readonly RunEvent[], void>> | null = null
  try {
    for (;;) {
      coming ??= events.next()
      const heard: IteratorResult<readonly RunEvent[], void> | Appearance = await (looking
        ? Promise.race([coming, looking])
        : coming)
      if ('place' in heard) {
        const { place, alive }: Appearance = heard
        if (place !== reported || alive) yield [{ type: 'queued', place, ...(alive && { isAlive: true }) }]
        reported = place
        waits = place !== null
        looking = alive ? null : look(LOOK_EVERY_MS)
        continue
      }
      coming = null
      if (heard.done === true) return
      yield heard.value
      if (looking && heard.value.some(({ type }) => type !== 'start')) {
        looking = null
        over.abort()
      }
    }
  } finally {
    over.abort()
    await events.return()
  }
}
