import type { ApiAnswer } from './api-failure'

interface ListState {
  /** A sentence that says why the last request failed. */
  readonly problem: string | null
}

/** A list of the owner's that the server stores. A change shows once the server has made it. */
export function createServerList<State extends ListState>(
  initial: State,
  /** Reads the list, as its part of the state. */
  read: () => Promise<ApiAnswer<Partial<State>>>,
  /** Notifies the other tabs. */
  announce: () => void,
) {
  const listeners = new Set<() => void>()
  let state = initial
  const put = (change: Partial<State>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const problem = (why: string | null) => ({ problem: why }) as Partial<State>
  let loading: Promise<void> | null = null
  async function readAgain(): Promise<void> {
    const answer = await read()
    loading = null
    put(answer.ok ? answer.value : problem(answer.error.message))
  }
  return {
    /** Returns the same object while nothing changes. */
    getState: (): State => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    put,
    /** Several parts of a page may ask at the same moment: they share one request. */
    load: (): Promise<void> => (loading ??= readAgain()),
    /** Returns whether it succeeded; `problem` says why not. Afterwards the list matches the server's. */
    done: async (asked: Promise<ApiAnswer<unknown>>): Promise<boolean> => {
      const answer = await asked
      const list = await read()
      put({ ...(list.ok && list.value), ...problem(answer.ok ? null : answer.error.message) })
      if (answer.ok) announce()
      return answer.ok
    },
  }
}
