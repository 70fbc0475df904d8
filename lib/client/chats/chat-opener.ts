import type { ChatActions } from './actions'
import { addressOf } from '../api/address'
import type { ChatPorts } from './chat-ports'
import { filesDraft, newChatDraft, newChatIdDraft } from '../outbox/drafts'
import { newConversation, settingsOfNew } from './new-conversation'
import { t } from '@/lib/i18n/t'
import { isTemporaryChat, noteTemporaryChat } from '../outbox/temporary-chats'
import { draftIdOf, viewOf } from '../state/open-conversations'
import type { OutboxEntry } from '../outbox/outbox'
import type { Sender } from './send'
import type { ConversationView } from '@/lib/shared/conversation/wire/api-types'

/** Which conversation is shown: one of the server's, one that waits to be sent, or a new one with what was left in it. */
export function createChatOpener(
  ports: ChatPorts,
  follower: Pick<RunFollower, 'leave'>,
  loader: ViewLoader,
  sender: Pick<Sender, 'flush'>,
  endTemporary: (conversationId: string, isSent: boolean) => void,
): Pick<ChatActions, 'open' | 'newChat' | 'setTemporary'> {
  const { store, drafts } = ports
  const { dispatch } = store
  const view = () => viewOf(store.getState())
  /** A chat that was begun here and that the server does not know yet. */
  const unsentChat = (id: string) =>
    ports.outbox.all().find(({ entry }) => entry.conversationId === id && entry.create !== undefined)?.entry
  /** The new chat that is shown is still empty, so that it can stand for the next one. */
  const isBlank = () => view().phase === 'new' && !view().sending && !unsentChat(view().id)
  const isTemporary = () => view().conversation?.temporary === true
  /** A new chat that is shown and is no plain one. */
  const isSpecial = () => isTemporary() || view().conversation?.project !== undefined

  const leave = () => {
    follower.leave()
    loader.forget()
    const { id } = view()
    if (isTemporary()) endTemporary(id, !isBlank())
  }

  function showNew(): void {
    leave()
    const settings = settingsOfNew(store.getState().models)
    const waiting = drafts.get(newChatIdDraft)
    const id = waiting === '' || isTemporaryChat(waiting) ? ports.newId() : waiting
    dispatch({ type: 'view-new', conversation: { ...newConversation(id, '', ports.now()), settings } })
    void adoptNew(id)
  }

  /** What tabs that are closed by now left in a new chat, words and files. */
  async function adoptNew(shownId: string): Promise<void> {
    const words = await drafts.adopt(newChatDraft, 'all')
    const id = await drafts.adopt(newChatIdDraft, 'one')
    if (id === '') return
    await drafts.adopt(filesDraft(id), 'one')
    const { conversation } = view()
    const isFree = view().id === shownId && isBlank() && drafts.get(newChatDraft) === words
    if (id !== shownId && conversation && isFree) dispatch({ type: 'view-new', conversation: { ...conversation, id } })
  }

  async function adoptIn(conversationId: string): Promise<void> {
    await drafts.adopt(conversationId, 'all')
    await drafts.adopt(filesDraft(conversationId), 'one')
  }

  function showUnsent({ conversationId, createdAt, create = {}, project }: OutboxEntry): void {
    const { model = '', ...rest } = create
    const made = newConversation(conversationId, model, createdAt)
    const conversation = { ...made, settings: { ...made.settings, ...rest }, ...(project && { project }) }
    dispatch({ type: 'view-new', conversation })
    sender.flush()
  }

  return {
    open(conversationId) {
      ports.navigate(addressOf(conversationId))
      const { id, phase } = view()
      if (conversationId === null) {
        // The address follows what is shown, too: a new chat in a project stays as it was begun.
        if (!isBlank()) showNew()
      } else if (id === conversationId) {
        if (phase === 'failed' || phase === 'missing') void loader.load(conversationId)
      } else {
        leave()
        void adoptIn(conversationId)
        const unsent = unsentChat(conversationId)
        if (unsent) return showUnsent(unsent)
        dispatch({ type: 'view-opened', conversationId })
        void loader.load(conversationId)
      }
    },
    newChat() {
      ports.navigate(addressOf(null))
      if (!isBlank() || isSpecial()) showNew()
    },
    setTemporary(on) {
      const { conversation, id } = view()
      if (!conversation || !isBlank() || on === isTemporary()) return
      if (drafts.get(filesDraft(id)) !== '') {
        const problem = { message: t('temporary.files-first'), canRetry: false }
        return dispatch({ type: 'problem-raised', conversationId: id, problem })
      }
      const from = draftIdOf(store.getState())
      const typed = drafts.get(from)
      const newId = ports.newId()
      const { temporary: _, ...ordinary } = conversation
      if (on) noteTemporaryChat(newId)
      drafts.remove(from)
      drafts.put(on ? newId : newChatDraft, typed)
      dispatch({ type: 'view-new', conversation: { ...ordinary, id: newId, ...(on && { temporary: true }) } })
      if (!on) endTemporary(id, false)
    },
  }
}

interface RunFollower {
  /** Joins a run of the open conversation at its start; the same run twice is one. */
  readonly follow: (conversationId: string, runId: string, replyId: string) => void
  /** The conversation is left: its run goes on without this tab. */
  readonly leave: () => void
}

/** `untold`: its end was seen, and did not say how the chat stands in the list now. */
type FollowedTo = 'ended' | 'untold' | 'gone'

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

interface ViewLoader {
  /** Loads the shown conversation; the newest wish wins, and none counts once another one is shown. */
  readonly load: (id: string) => Promise<void>
  /** Loads the shown conversation again where it was read from this browser: the server is back. */
  readonly freshen: () => Promise<void>
  /** What is on its way is not wanted any more. */
  readonly forget: () => void
  /** An append of this page was accepted: what was read before it is old. */
  readonly appended: () => void
}

interface LoaderEvents {
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
