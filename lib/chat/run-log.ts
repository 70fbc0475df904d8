import type { RunRow, Store } from '@/lib/store/store'
import { waitFor, type Clock } from './clock'
import type { RunEvent } from './run-event'
import { createRunReader } from './run-log-reader'
import { createRunWriter, type RunWriter } from './run-log-writer'

export interface RunLogPorts {
  readonly store: Store
  readonly clock: Clock
  readonly log: (message: string, error: unknown) => void
}

/** Milliseconds. A run is dead when its heart was silent for `deadMs`, which must span several beats. */
export interface RunLogTimes {
  readonly joinMs: number
  readonly heartbeatMs: number
  readonly deadMs: number
  readonly pollMs: number
  readonly keepEventsMs: number
}

export const defaultRunLogTimes: RunLogTimes = {
  joinMs: 50,
  heartbeatMs: 2_000,
  deadMs: 6_000,
  pollMs: 150,
  keepEventsMs: 10 * 60_000,
}

/**
 * The log of replies that are being written: one writer a run (in this process), any number of readers (in any
 * process, through the store). Node clocks must agree to within a second or two: heartbeats are compared across them.
 */
export interface RunLog {
  /** Takes over the run that an append opened. `onStop` is called once, when somebody asked to stop it or ended it. */
  write(runId: string, onStop: () => void): RunWriter
  /** Events above `after`, live, up to and with `end`; stops early only when the signal aborts or the run is gone. */
  read(runId: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent, void, undefined>
  /** At once for a run of this process, through the store for others; false for an unknown, foreign or ended run. */
  stop(owner: string, runId: string): Promise<boolean>
  /** Ends the run as interrupted if its producer is dead; true if it was. */
  recoverIfDead(runId: string): Promise<boolean>
  /** Ends all dead runs and forgets old events; called at start and every few seconds. */
  sweep(): Promise<void>
  /** Runs that this process writes now. */
  readonly active: ReadonlySet<string>
}

export function createRunLog(ports: RunLogPorts, times: RunLogTimes = defaultRunLogTimes): RunLog {
  const { store, clock } = ports
  const writers = new Map<string, { readonly stop: () => void }>()
  const active = new Set<string>()
  const waiting = new Map<string, Set<() => void>>()

  const wake = (runId: string) => {
    const listeners = waiting.get(runId)
    waiting.delete(runId)
    for (const listener of listeners ?? []) listener()
  }

  async function interrupt(run: RunRow): Promise<boolean> {
    const silentSince = clock.now() - times.deadMs
    if (active.has(run.id) || run.status === 'ended' || run.heartbeatAt >= silentSince) return false
    const dead = { outcome: 'interrupted', failure: null, usage: null, silentSince, countRunnable: () => 0 } as const
    const ended = await store.endRun(run.id, dead, clock.now())
    if (ended) wake(run.id)
    return ended
  }

  return {
    active,

    write(runId, onStop) {
      active.add(runId)
      let told = false
      const stop = () => {
        if (told) return
        told = true
        onStop()
      }
      const writer = createRunWriter(
        { store, clock, log: ports.log, wake: () => wake(runId) },
        { runId, times, onStop: stop },
      )
      writers.set(runId, { stop })
      const forget = () => {
        active.delete(runId)
        writers.delete(runId)
        wake(runId)
      }
      void writer.ended.then(forget)
      return writer
    },

    read: createRunReader({
      store,
      interrupt,
      isLocal: (runId) => active.has(runId),
      /** Resolves when this process wrote something, or after the poll interval. Register before reading. */
      nextChange(runId, signal) {
        const changed = new AbortController()
        const listener = () => changed.abort()
        const listeners = waiting.get(runId) ?? new Set()
        waiting.set(runId, listeners.add(listener))
        return {
          wait: async () => {
            // A local writer wakes us; the slow poll is only for a run that somebody else ended.
            const ms = active.has(runId) ? times.heartbeatMs : times.pollMs
            await waitFor(clock, ms, AbortSignal.any([signal, changed.signal]))
          },
          dispose: () => {
            listeners.delete(listener)
            if (listeners.size === 0 && waiting.get(runId) === listeners) waiting.delete(runId)
          },
        }
      },
    }),

    async stop(owner, runId) {
      const requested = await store.requestStop(owner, runId)
      if (requested) writers.get(runId)?.stop()
      return requested
    },

    async recoverIfDead(runId) {
      const found = await store.readRunEvents(runId, Number.MAX_SAFE_INTEGER, 0)
      return found ? interrupt(found.run) : false
    },

    async sweep() {
      for (const run of await store.staleRuns(clock.now() - times.deadMs)) await interrupt(run)
      await store.pruneRunEvents(clock.now() - times.keepEventsMs)
    },
  }
}
