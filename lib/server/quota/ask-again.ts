import { asStoreError } from '@/lib/server/store/ports/store-error'
import { waitFor, type Clock } from '../runs/clock'

const FIRST_WAIT_MS = 200
/** Some thirteen seconds in all: as long as a database is away that is restarted. */
const LAST_WAIT_MS = 6_400

/**
 * Asks a store that may be away, again for as long as a restart takes. Rejects with what it says then, with every other
 * error at once, and with the signal's reason.
 */
export async function askAgain<T>(clock: Clock, ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    try {
      return await ask()
    } catch (error) {
      const isAway = error instanceof Error && asStoreError(error) !== null
      if (!isAway || waitMs > LAST_WAIT_MS) throw error
    }
    await waitFor(clock, waitMs, signal)
    signal.throwIfAborted()
  }
}
