import type { readRun } from './run-reader'

type ReadRun = typeof readRun

/** The wait before loading the code is tried again. The server writes the reply meanwhile, so nothing of it is lost. */
const againMs = 2_000

/**
 * Follows a run with code that loads with the first run. While the code can't be loaded, the run shows as reconnecting.
 */
export const createLazyRunReader =
  (load: () => Promise<{ readonly readRun: ReadRun }>): ReadRun =>
  async (ports, options) => {
    const { signal, onConnection } = options
    while (!signal.aborted) {
      const code = await load().catch(() => null)
      if (code) return code.readRun(ports, options)
      onConnection('reconnecting')
      await ports.wait(againMs, signal)
    }
    return 'aborted'
  }
