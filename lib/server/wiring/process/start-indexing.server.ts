import type { Store } from '@/lib/server/store/ports/store'

/** A new message can be found after this time. */
const EVERY_MS = 2_000
/** About ten milliseconds of work: responses are written on the same thread. */
const AT_ONCE = 20
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
  while (!isOver() && (await store.indexWords(AT_ONCE)) > 0) await pause()
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
  }, EVERY_MS)
  timer.unref()
  return () => {
    over = true
    clearInterval(timer)
  }
}
