import type { ClientEvent } from './events'
import { reduceClient } from './reduce'
import { initialState } from './initial-state'
import type { ClientState } from './state'

export interface ClientStore {
  readonly getState: () => ClientState
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
  readonly dispatch: (event: ClientEvent) => void
}

/** The browser's one store: a pure reducer behind `useSyncExternalStore`. */
export function createClientStore(start: ClientState = initialState): ClientStore {
  let state = start
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    dispatch(event) {
      const next = reduceClient(state, event)
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
  }
}
