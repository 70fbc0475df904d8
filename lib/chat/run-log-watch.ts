import type { Store } from '@/lib/store/store'

/** What the run log asks of a store. */
export type RunStore = Pick<
  Store,
  | 'appendRunEvents'
  | 'appendEventsOfRuns'
  | 'endRun'
  | 'loadRun'
  | 'loadReply'
  | 'pruneRunEvents'
  | 'readRunEvents'
  | 'requestStop'
  | 'staleRuns'
>

/** The same store; `onFailure` hears of every answer that did not come. */
export function withWatch(store: Store, onFailure: () => void): RunStore {
  type Ask = (...args: readonly unknown[]) => Promise<unknown>
  const watched = <Name extends keyof RunStore>(name: Name): RunStore[Name] => {
    const ask = async (...args: readonly unknown[]) => {
      try {
        return await (store[name] as Ask)(...args)
      } catch (error) {
        onFailure()
        throw error
      }
    }
    return ask as unknown as RunStore[Name]
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
