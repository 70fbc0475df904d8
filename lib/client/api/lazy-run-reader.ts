import type { readRun } from './run-reader'

type ReadRun = typeof readRun

/** Code that did not come is asked for again after so long: the reply is written meanwhile, and nothing of it is lost. */
const againMs = 2_000

/** Follows a run with code that loads at the first one. While it can't be had, the run shows as one that is joined again. */
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
