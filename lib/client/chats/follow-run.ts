import type { ChatPorts } from './chat-ports'

export interface RunFollower {
  /** Joins a run of the open conversation at its start; the same run twice is one. */
  readonly follow: (conversationId: string, runId: string, replyId: string) => void
  /** The conversation is left: its run goes on without this tab. */
  readonly leave: () => void
}

/** `untold`: its end was seen, and did not say how the chat stands in the list now. */
export type FollowedTo = 'ended' | 'untold' | 'gone'

interface Followed {
  readonly runId: string
  readonly abort: AbortController
}

/** Reads the run of the open conversation into the store. `onDone` hears of every end that was seen, or of a lost log. */
export function createRunFollower(
  { store, api, wait, schedule, readRun }: ChatPorts,
  onDone: (conversationId: string, how: FollowedTo) => void,
): RunFollower {
  const { dispatch } = store
  /** Runs whose log is gone: a view that still names one must not be followed round in circles. */
  const lost = new Set<string>()
  let current: Followed | null = null

  async function read(conversationId: string, mine: Followed): Promise<void> {
    const { runId, abort } = mine
    let told = false
    const open = (after: number, signal: AbortSignal) => api.runEvents(runId, after, signal)
    const how = await readRun(
      { open, wait, schedule },
      {
        signal: abort.signal,
        onEvents(events) {
          told ||= events.some((event) => event.type === 'end' && event.summary !== undefined)
          dispatch({ type: 'run-events', runId, events })
        },
        onPlace: (place, isAlive) => dispatch({ type: 'run-queued', runId, place, isAlive }),
        onConnection: (connection) => dispatch({ type: 'run-connection', runId, connection }),
      },
    )
    if (how === 'aborted') return
    if (current === mine) current = null
    if (how === 'gone') {
      lost.add(runId)
      dispatch({ type: 'run-lost', runId })
    }
    onDone(conversationId, how === 'ended' && !told ? 'untold' : how)
  }

  return {
    follow(conversationId, runId, replyId) {
      if (store.getState().shownId !== conversationId || current?.runId === runId || lost.has(runId)) return
      current?.abort.abort()
      const mine: Followed = { runId, abort: new AbortController() }
      current = mine
      dispatch({ type: 'run-joined', conversationId, runId, replyId })
      void read(conversationId, mine)
    },
    leave() {
      current?.abort.abort()
      current = null
    },
  }
}
