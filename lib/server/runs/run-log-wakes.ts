import type { Clock } from './clock'

/** One reader's ear for changes of one run. */
export interface RunWakes {
  /** From here on a change counts as new: call it before reading. */
  clear(): void
  /** Resolves when the run changed since `clear`, after the poll interval if there is one, or when the reader goes away. */
  wait(): Promise<void>
  dispose(): void
}

/**
 * Who waits for which run. A reader registers once and not once a token; nothing but plain functions is made while
 * it waits, so that nothing of it can outlive the run.
 */
export function createRunWakes(clock: Clock) {
  const listeners = new Map<string, Set<() => void>>()

  return {
    wake(runId: string): void {
      for (const listener of listeners.get(runId) ?? []) listener()
    },

    wakeAll(): void {
      for (const ofRun of listeners.values()) for (const listener of ofRun) listener()
    },

    subscribe(runId: string, signal: AbortSignal, pollMs: () => number | null): RunWakes {
      let changed = false
      let finish: (() => void) | null = null
      const listener = () => {
        changed = true
        finish?.()
      }
      const ofRun = listeners.get(runId) ?? new Set()
      listeners.set(runId, ofRun.add(listener))
      signal.addEventListener('abort', listener)
      return {
        clear() {
          changed = false
        },
        wait: () =>
          new Promise((resolve) => {
            if (changed || signal.aborted) return resolve()
            const ms = pollMs()
            const cancel = ms === null ? null : clock.after(ms, () => finish?.())
            finish = () => {
              finish = null
              cancel?.()
              resolve()
            }
          }),
        dispose() {
          signal.removeEventListener('abort', listener)
          ofRun.delete(listener)
          if (ofRun.size === 0 && listeners.get(runId) === ofRun) listeners.delete(runId)
        },
      }
    },
  }
}
