const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 30_000

/**
 * Opens at once; what failed is told and tried again, with waits that double up to half a minute, until it is open. Ends after the
 * first try: whoever starts goes on. `after` must not keep the process alive.
 */
export async function retryUntilOpen({
  open,
  failed,
  after,
}: {
  readonly open: () => Promise<void>
  readonly failed: (error: unknown) => void
  /** Milliseconds. */
  readonly after: (ms: number, task: () => void) => void
}): Promise<void> {
  const attempt = async (waitMs: number): Promise<void> => {
    try {
      await open()
    } catch (error) {
      failed(error)
      after(waitMs, () => void attempt(Math.min(waitMs * 2, LONGEST_WAIT_MS)))
    }
  }
  await attempt(FIRST_WAIT_MS)
}
