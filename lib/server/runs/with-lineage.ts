import type { QueuedLine, RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { waitFor, type Clock } from './clock'

/** Of a process that writes elsewhere it is heard no more often. */
const LOOK_EVERY_MS = 2_000

interface Appearance {
  readonly place: number | null
  readonly alive: boolean
}

export type RunLines = AsyncGenerator<readonly (RunEvent | QueuedLine)[], void, undefined>

/**
 * The same events; between them, until the first words, where the reply is in the queue, when that has changed. It never
 * goes back into the queue, so that one answer of null is the last; a reply that never waited is not spoken of. Then, once,
 * that the model's server is alive.
 */
export async function* withPlaces(
  events: AsyncGenerator<readonly RunEvent[], void, undefined>,
  {
    placeOf,
    isAlive,
    clock,
  }: {
    readonly placeOf: () => Promise<number | null>
    /** Costs nothing to ask. */
    readonly isAlive: () => boolean
    readonly clock: Clock
  },
): RunLines {
  const over = new AbortController()
  let told: number | null = null
  let waits = true
  const look = async (ms: number): Promise<Appearance> => {
    if (ms > 0) await waitFor(clock, ms, over.signal)
    const place = waits && !over.signal.aborted ? await placeOf().catch(() => told) : null
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
        if (place !== told || alive) yield [{ type: 'queued', place, ...(alive && { isAlive: true }) }]
        told = place
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
