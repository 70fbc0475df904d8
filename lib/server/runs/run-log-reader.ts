import type { RunKey, RunRow } from '@/lib/server/store/ports/run-store'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunWakes } from './run-log-wakes'
import type { RunLogStore } from './run-log-watch'
import type { RunTail } from './run-tail'

const PAGE = 1000

export interface LogReaderPorts {
  readonly store: RunLogStore
  /** What this process has in memory of a run that it writes. */
  readonly tailOf: (run: RunKey) => RunTail | undefined
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
 * Reads a run from anywhere to its end, in lists of one event or more. What this process writes is read from memory, all
 * else from the store: the numbers are the same. A log that was pruned, or a reader that stands beyond its end, gets the
 * stored message as a fresh `start` and its `end`: folding them gives the same message.
 */
export function createRunReader(ports: LogReaderPorts) {
  return async function* read(
    key: RunKey,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RunEvent[], void, undefined> {
    const { runId } = key
    let seq = after
    let tail: RunTail | undefined
    const changes = ports.subscribe(runId, signal)
    try {
      while (!signal.aborted) {
        changes.clear()
        tail = ports.tailOf(key) ?? tail
        const here = tail?.since(seq)
        if (here?.length === 0 && tail?.isClosed === false) {
          await changes.wait()
          continue
        }
        const found = here && here.length > 0 ? { events: here, run: null } : await readOn(key, seq)
        if (found === 'nothing') return
        if (found !== 'loss') {
          const { events, run } = found
          if (events[0]?.seq === seq + 1) {
            yield events
            const last = events.at(-1)
            if (last?.type === 'end') return
            seq = last?.seq ?? seq
            // There may be more already, in memory too.
            if (tail?.isClosed === false || run?.status !== 'running' || events.length === PAGE) continue
          } else if (run?.status === 'ended') {
            const replayed = await replayStored(ports.store, key, seq)
            if (replayed) yield replayed
            return
          } else if (run && !ports.isLocal(runId) && (await ports.interrupt(run))) continue
        }
        const loss = ports.lossOf(runId)
        if (loss !== null) {
          const failure = { code: 'unknown', message: loss, detail: '' } as const
          // As the store will say it, and as readers elsewhere hear it.
          yield [{ seq: seq + 1, type: 'end', outcome: 'interrupted', failure, usage: null }]
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

async function replayStored(store: RunLogStore, run: RunKey, after: number): Promise<readonly RunEvent[] | null> {
  const message = await store.loadReply(run)
  if (!message) return null
  const { outcome, failure, usage } = message
  return [
    { seq: after + 1, type: 'start', message: { ...message, outcome: null, failure: null, usage: null } },
    { seq: after + 2, type: 'end', outcome: outcome ?? 'interrupted', failure, usage },
  ]
}
