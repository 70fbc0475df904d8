import type { StoreSignals } from '@/lib/server/store/ports/store'
import type { Clock } from './clock'

/** For so long a writer tells of a run after someone elsewhere said that it is watched there. */
const WATCHED_MS = 15_000

/** What processes say to each other of runs: `watch`, `wrote` or `stop`, and a run's id. */
export interface RunSignals {
  /** Someone here reads a run that is written elsewhere: its writer is asked to tell. How long to wait untold. */
  watch(runId: string): number
  /** A run of this process has something new in the store. */
  wrote(runId: string): void
  /** A run of a process that is gone was ended here: anyone who reads it anywhere looks now. */
  ended(runId: string): void
  /** A run of another process was asked to stop. */
  stop(runId: string): void
}

/**
 * Only runs that are watched from elsewhere are told of: most are watched where they are written. Where no signals come,
 * the store is asked every `pollMs`; where they do, less often, as they may be lost.
 */
export function createRunSignals(
  ports: {
    readonly signals: StoreSignals | undefined
    readonly clock: Clock
    readonly onWrote: (runId: string) => void
    readonly onStop: (runId: string) => void
    readonly isOurs: (runId: string) => boolean
  },
  times: { readonly pollMs: number; readonly listeningPollMs: number },
): RunSignals {
  const { signals, clock } = ports
  /** Runs of this process that are watched elsewhere, until when. */
  const watched = new Map<string, number>()
  /** When this process last asked for a run of another one. */
  const asked = new Map<string, number>()

  signals?.listen((text) => {
    const [verb, runId = ''] = text.split(' ')
    if (verb === 'wrote') ports.onWrote(runId)
    else if (verb === 'stop') ports.onStop(runId)
    else if (verb === 'watch' && ports.isOurs(runId)) watched.set(runId, clock.monotonic() + WATCHED_MS)
  })

  function forgetOld(): void {
    for (const [runId, at] of asked) if (clock.monotonic() - at > WATCHED_MS) asked.delete(runId)
    for (const [runId, until] of watched) if (until < clock.monotonic()) watched.delete(runId)
  }

  return {
    watch(runId) {
      if (!signals?.isListening()) return times.pollMs
      const at = asked.get(runId)
      if (at !== undefined && clock.monotonic() - at < WATCHED_MS / 3) return times.listeningPollMs
      forgetOld()
      asked.set(runId, clock.monotonic())
      signals.send(`watch ${runId}`)
      return times.listeningPollMs
    },
    wrote(runId) {
      if ((watched.get(runId) ?? Number.NEGATIVE_INFINITY) >= clock.monotonic()) signals?.send(`wrote ${runId}`)
    },
    ended: (runId) => signals?.send(`wrote ${runId}`),
    stop: (runId) => signals?.send(`stop ${runId}`),
  }
}
