import type { StoreSignals } from '@/lib/server/store/ports/store'
import type { Clock } from './clock'

/** How long a writer sends notifications after another process said that it has a reader of the run. */
const WATCHED_MS = 15_000

/** Messages between processes about runs: `watch`, `wrote` or `stop`, and a run's id. */
export interface RunSignals {
  /**
   * A reader here follows a run of another process, which is asked for notifications. Returns how long to wait without
   * one.
   */
  watch(runId: string): number
  /** The store has new events of a run of this process. */
  wrote(runId: string): void
  /** This process ended a run of a dead one: wakes its readers everywhere. */
  ended(runId: string): void
  /** A run of another process was asked to stop. */
  stop(runId: string): void
}

/**
 * Sends notifications only for runs with readers elsewhere, because most are read in their own process. Without signals
 * the store is polled every `pollMs`; with them less often, because they may be lost.
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
  /** Runs of this process with readers elsewhere, and until when. */
  const watched = new Map<string, number>()
  /** When this process last asked for notifications about a run. */
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
