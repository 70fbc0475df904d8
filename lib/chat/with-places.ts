import type { QueuedLine, RunEvent } from '@/lib/conversation/run-event'
import { waitFor, type Clock } from './clock'

/** Of a process that writes elsewhere it is heard no more often. */
const LOOK_EVERY_MS = 2_000

export type RunLines = AsyncGenerator<readonly (RunEvent | QueuedLine)[], void, undefined>

/**
 * The same events; between them, until the first words, where the reply stands in the queue, when that has changed. It never
 * goes back into the queue, so that one answer of null is the last; a reply that never waited is not spoken of.
 */
export async function* withPlaces(
  events: AsyncGenerator<readonly RunEvent[], void, undefined>,
  { placeOf, clock }: { readonly placeOf: () => Promise<number | null>; readonly clock: Clock },
): RunLines {
  const over = new AbortController()
  let told: number | null = null
  const look = async (ms: number) => {
    if (ms > 0) await waitFor(clock, ms, over.signal)
    return { place: over.signal.aborted ? null : await placeOf().catch(() => told) }
  }
  let looking: ReturnType<typeof look> | null = look(0)
  let coming: Promise<IteratorResult<readonly RunEvent[], void>> | null = null
  try {
    for (;;) {
      coming ??= events.next()
      const heard: IteratorResult<readonly RunEvent[], void> | { readonly place: number | null } = await (looking
        ? Promise.race([coming, looking])
        : coming)
      if ('place' in heard) {
        if (heard.place !== told) yield [{ type: 'queued', place: heard.place }]
        told = heard.place
        looking = told === null ? null : look(LOOK_EVERY_MS)
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
