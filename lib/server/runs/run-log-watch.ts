import type { RunStore } from '@/lib/server/store/ports/run-store'

/** What the run log uses of the store: all but what tabs write. */
export type RunLogStore = Omit<RunStore, 'loadTabRun' | 'appendTabPieces'>

/** The same store; `onFailure` hears of every answer that did not come. */
export function withWatch(store: RunLogStore, onFailure: () => void): RunLogStore {
  type Ask = (...args: readonly unknown[]) => Promise<unknown>
  const watched = <Name extends keyof RunLogStore>(name: Name): RunLogStore[Name] => {
    const ask = async (...args: readonly unknown[]) => {
      try {
        return await (store[name] as Ask)(...args)
      } catch (error) {
        onFailure()
        throw error
      }
    }
    return ask as unknown as RunLogStore[Name]
  }
  return {
    appendRunEvents: watched('appendRunEvents'),
    appendEventsOfRuns: watched('appendEventsOfRuns'),
    endRun: watched('endRun'),
    loadRun: watched('loadRun'),
    loadReply: watched('loadReply'),
    pruneRunEvents: watched('pruneRunEvents'),
    readRunEvents: watched('readRunEvents'),
    requestStop: watched('requestStop'),
    staleRuns: watched('staleRuns'),
  }
}
