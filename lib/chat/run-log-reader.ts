import type { RunKey, RunRow } from '@/lib/store/store'
import type { RunEvent } from '@/lib/conversation/run-event'
import type { RunWakes } from './run-log-wakes'
import type { RunStore } from './run-log-watch'

const PAGE = 1000

export interface LogReaderPorts {
  readonly store: RunStore
  readonly isLocal: (runId: string) => boolean
  /** This process goes down, and somebody else writes the run. */
  readonly leaves: (runId: string) => boolean
  /** Why the end of a run of this process is not in the store; null: it is, or will be. */
  readonly lossOf: (runId: string) => string | null
  /** Ends the run as interrupted when its producer is dead. */
  readonly interrupt: (run: RunRow) => Promise<boolean>
  readonly subscribe: (runId: string, signal: AbortSignal) => RunWakes
}

/**
 * Reads a run from anywhere to its end. A log that was pruned, or a reader that stands beyond its end, gets the stored
 * message as a fresh `start` and its `end`: folding them gives the same message.
 */
export function createRunReader(ports: LogReaderPorts) {
  return async function* read(
    key: RunKey,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined> {
    const { runId } = key
    let seq = after
    const changes = ports.subscribe(runId, signal)
    try {
      while (!signal.aborted) {
        changes.clear()
        const found = await readOn(key, seq)
        if (found === 'nothing') return
        if (found !== 'loss') {
          const { events, run } = found
          if (events[0]?.seq === seq + 1) {
            for (const event of events) {
              if (signal.aborted) return
              yield event
              seq = event.seq
              if (event.type === 'end') return
            }
            // There may be more already.
            if (events.length === PAGE || run.status === 'ended') continue
          } else if (run.status === 'ended') {
            yield* replayStored(ports.store, key, seq)
            return
          } else if (!ports.isLocal(runId) && (await ports.interrupt(run))) continue
        }
        const loss = ports.lossOf(runId)
        if (loss !== null) {
          const failure = { code: 'unknown', message: loss, detail: '' } as const
          yield { seq: seq + 1, type: 'end', outcome: 'failed', failure, usage: null }
          return
        }
        if (ports.leaves(runId)) return
        await changes.wait()
      }
    } finally {
      changes.dispose()
    }
  }

  /** A store that is away ends the reading, unless there is a loss to tell. */
  async function readOn(key: RunKey, after: number) {
    try {
      return (await ports.store.readRunEvents(key, after, PAGE)) ?? 'nothing'
    } catch (error) {
      if (ports.lossOf(key.runId) !== null) return 'loss'
      throw error
    }
  }
}

async function* replayStored(store: RunStore, run: RunKey, after: number): AsyncGenerator<RunEvent, void, undefined> {
  const message = await store.loadReply(run)
  if (!message) return
  const { outcome, failure, usage } = message
  yield { seq: after + 1, type: 'start', message: { ...message, outcome: null, failure: null, usage: null } }
  yield { seq: after + 2, type: 'end', outcome: outcome ?? 'interrupted', failure, usage }
}
