import type { RunRow, Store } from '@/lib/store/store'
import type { RunEvent } from './run-event'

const PAGE = 1000

export interface RunReaderPorts {
  readonly store: Store
  readonly isLocal: (runId: string) => boolean
  /** Ends the run as interrupted when its producer is dead. */
  readonly interrupt: (run: RunRow) => Promise<boolean>
  /** What to wait for when nothing new is there. Made before reading, so that no change falls in between. */
  readonly nextChange: (
    runId: string,
    signal: AbortSignal,
  ) => { readonly wait: () => Promise<void>; readonly dispose: () => void }
}

/**
 * Reads a run from anywhere to its end. A log that was pruned, or a reader that stands beyond its end, gets the stored
 * message as a fresh `start` and its `end`: folding them gives the same message.
 */
export function createRunReader(ports: RunReaderPorts) {
  return async function* read(
    runId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined> {
    let seq = after
    while (!signal.aborted) {
      const change = ports.nextChange(runId, signal)
      try {
        const found = await ports.store.readRunEvents(runId, seq, PAGE)
        if (!found) return
        if (found.events.length > 0 && found.events[0]?.seq === seq + 1) {
          for (const event of found.events) {
            if (signal.aborted) return
            yield event
            seq = event.seq
            if (event.type === 'end') return
          }
          continue
        }
        if (found.run.status === 'ended') {
          yield* replayStored(ports.store, runId, seq)
          return
        }
        if (!ports.isLocal(runId) && (await ports.interrupt(found.run))) continue
        await change.wait()
      } finally {
        change.dispose()
      }
    }
  }
}

async function* replayStored(store: Store, runId: string, after: number): AsyncGenerator<RunEvent, void, undefined> {
  const message = await store.loadReply(runId)
  if (!message) return
  const { outcome, failure, usage } = message
  yield { seq: after + 1, type: 'start', message: { ...message, outcome: null, failure: null, usage: null } }
  yield { seq: after + 2, type: 'end', outcome: outcome ?? 'interrupted', failure, usage }
}
