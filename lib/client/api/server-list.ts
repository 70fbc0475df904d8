import type { ApiAnswer } from './api-failure'

interface ListState {
  /** Why what was asked last could not be done, a sentence. */
  readonly problem: string | null
}

/** A list of the owner's that the server keeps: what is done shows when the server has done it. */
export function createServerList<State extends ListState>(
  initial: State,
  /** The list, as its part of the state. */
  read: () => Promise<ApiAnswer<Partial<State>>>,
  /** Tells the other tabs. */
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
    /** The same object while nothing changes. */
    getState: (): State => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    put,
    /** Several parts of a page ask in the same moment. */
    load: (): Promise<void> => (loading ??= readAgain()),
    /** Whether it was done; `problem` says why not. The list is then as the server has it. */
    done: async (asked: Promise<ApiAnswer<unknown>>): Promise<boolean> => {
      const answer = await asked
      const list = await read()
      put({ ...(list.ok && list.value), ...problem(answer.ok ? null : answer.error.message) })
      if (answer.ok) announce()
      return answer.ok
    },
  }
}
