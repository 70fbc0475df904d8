import type { ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { ChatPorts } from './chat-ports'
import { viewOf } from '../state/open-conversations'

export interface ViewLoader {
  /** Loads the shown conversation; the newest wish wins, and none counts once another one is shown. */
  readonly load: (id: string) => Promise<void>
  /** Loads the shown conversation again where it was read from this browser: the server is back. */
  readonly freshen: () => Promise<void>
  /** What is on its way is not wanted any more. */
  readonly forget: () => void
  /** An append of this page was accepted: what was read before it is old. */
  readonly appended: () => void
}

export interface LoaderEvents {
  /** Before it is shown. */
  onLoaded(loaded: ConversationView): void
  /** It was shown for the first time since it was opened. */
  onFirst(): void
  /** A reply is being written in it. */
  onRun(conversationId: string, runId: string, replyId: string): void
}

export function createViewLoader({ store, api }: Pick<ChatPorts, 'store' | 'api'>, events: LoaderEvents): ViewLoader {
  const { dispatch } = store
  const view = () => viewOf(store.getState())
  let loads = 0
  let appends = 0

  async function load(id: string): Promise<void> {
    const mine = ++loads
    const before = appends
    // Once it is shown, this page knows it better than what was kept of it.
    const answer = await api.view(id, { reads: view().phase === 'loading' })
    if (mine !== loads || view().id !== id) return
    if (!answer.ok) {
      // It is not there yet, which is no news.
      if (view().phase === 'new') return
      const { message, status } = answer.error
      return dispatch({ type: 'view-failed', conversationId: id, missing: status === 404, message })
    }
    // It may have been read before what was accepted meanwhile.
    if (appends !== before) return await load(id)
    const loaded = answer.value
    const isFirst = view().phase === 'loading'
    events.onLoaded(loaded)
    dispatch({ type: 'view-loaded', view: loaded })
    if (isFirst) events.onFirst()
    const { activeRunId, messages } = loaded
    if (activeRunId === null || view().sending) return
    const reply = messages.findLast((row) => row.role === 'assistant' && row.runId === activeRunId)
    events.onRun(id, activeRunId, reply?.id ?? '')
  }

  return {
    load,
    async freshen() {
      const { id, keptAt } = view()
      if (keptAt !== null) await load(id)
    },
    forget: () => void (loads += 1),
    appended: () => void (appends += 1),
  }
}
