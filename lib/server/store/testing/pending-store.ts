import type { Store } from '../ports/store'

let pending = 0

/** True while a tracked store has open calls, so that work is still in progress. */
export const isStoreBusy = (): boolean => pending > 0

/** Returns the same store with its open calls counted. */
export function track(store: Store): Store {
  const tracked = Object.entries(store).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member]
    const ask = async (...args: readonly unknown[]): Promise<unknown> => {
      pending += 1
      try {
        return await (member as (...args: readonly unknown[]) => Promise<unknown>)(...args)
      } finally {
        pending -= 1
      }
    }
    return [name, ask]
  })
  return Object.fromEntries(tracked) as Store
}
