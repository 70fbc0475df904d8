import { ApiFailure } from './api'
import type { ChatPorts } from './chat-ports'
import { readRun } from './run-reader'

export interface RunFollower {
  /** Joins a run of the open conversation at its start; the same run twice is one. */
  follow(conversationId: string, runId: string, replyId: string): void
  /** The conversation is left: its run goes on without this tab. */
  leave(): void
}

/** Reads the run of the open conversation into the store. `onDone` hears of every end that was seen, or of a lost log. */
export function createRunFollower(
  { store, api, wait, schedule }: ChatPorts,
  onDone: (conversationId: string, how: 'ended' | 'gone') => void,
): RunFollower {
  const { dispatch } = store
  /** Runs whose log is gone: a view that still names one must not be followed round in circles. */
  const lost = new Set<string>()
  let current: { readonly runId: string; readonly abort: AbortController } | null = null

  return {
    follow(conversationId, runId, replyId) {
      if (store.getState().view.id !== conversationId || current?.runId === runId || lost.has(runId)) return
      current?.abort.abort()
      const mine = { runId, abort: new AbortController() }
      current = mine
      dispatch({ type: 'run-joined', conversationId, runId, replyId })
      const ports = {
        open: (after: number, signal: AbortSignal) => api.runEvents(runId, after, signal),
        isGone: (error: unknown) => error instanceof ApiFailure && error.status === 404,
        wait,
        schedule,
      }
      void readRun(ports, {
        signal: mine.abort.signal,
        onEvents: (events) => dispatch({ type: 'run-events', runId, events }),
        onConnection: (connection) => dispatch({ type: 'run-connection', runId, connection }),
      }).then((how) => {
        if (how === 'aborted') return
        if (current === mine) current = null
        if (how === 'gone') {
          lost.add(runId)
          dispatch({ type: 'run-lost', runId })
        }
        onDone(conversationId, how)
      })
    },
    leave() {
      current?.abort.abort()
      current = null
    },
  }
}
