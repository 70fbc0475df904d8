import type { ChatActions } from './actions'
import { addressOf } from '../api/address'
import type { ChatPorts } from './chat-ports'
import { copyDraft, filesDraft, newChatDraft, newChatIdDraft, newChatSetupDraft } from '../outbox/drafts'
import { newConversation, newConversationSettings, settingsOfNew } from './new-conversation'
import { t } from '@/lib/i18n/t'
import { isTemporaryChat, registerTemporaryChat } from '../outbox/temporary-chats'
import { draftIdOf, isWaitingIn, viewOf } from '../state/open-conversations'
import type { OutboxEntry } from '../outbox/outbox'
import type { Sender } from './send'
import type { Conversation } from '@/lib/shared/conversation/conversation'
import { runsIn, type ConversationView } from '@/lib/shared/conversation/wire/api-types'

/** Decides which conversation is shown: one of the server's, one that waits to be sent, or a new one with its draft. */
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
  /** The shown new chat is still empty, so it can be reused as the next new chat. */
  const isBlank = () => view().phase === 'new' && !view().sending && !unsentChat(view().id)
  const isTemporary = () => view().conversation?.temporary === true
  /** A shown new chat that is temporary or in a project. */
  const isSpecial = () => isTemporary() || view().conversation?.project !== undefined

  const leave = () => {
    follower.leave()
    loader.forget()
    const { id } = view()
    if (isTemporary()) endTemporary(id, !isBlank())
  }

  const setups = keepSetups(ports)

  function showNew(): void {
    leave()
    const settings = settingsOfNew(store.getState().models)
    const waiting = drafts.get(newChatIdDraft)
    const setup = setups.kept()
    const id = waiting === '' || isTemporaryChat(waiting) ? (setup?.id ?? ports.newId()) : waiting
    dispatch({ type: 'view-new', conversation: { ...newConversation(id, '', ports.now()), settings, ...setup, id } })
    void adoptNew(id)
  }

  /** Takes over the drafts and files that closed tabs left in a new chat. */
  async function adoptNew(shownId: string): Promise<void> {
    const words = await drafts.adopt(newChatDraft, 'all')
    const filesId = await drafts.adopt(newChatIdDraft, 'one')
    await drafts.adopt(newChatSetupDraft, 'one')
    await drafts.adopt(copyDraft(newChatDraft), 'one')
    const setup = setups.kept()
    const id = filesId === '' ? (setup?.id ?? '') : filesId
    if (id === '') return
    await drafts.adopt(filesDraft(id), 'one')
    const { conversation } = view()
    const isFree = view().id === shownId && isBlank() && drafts.get(newChatDraft) === words
    const isOther = id !== shownId || (setup?.project ?? '') !== (conversation?.project ?? '')
    if (isOther && conversation && isFree) {
      dispatch({ type: 'view-new', conversation: { ...conversation, ...setup, id } })
    }
  }

  async function adoptIn(conversationId: string): Promise<void> {
    await drafts.adopt(conversationId, 'all')
    await drafts.adopt(filesDraft(conversationId), 'one')
    await drafts.adopt(copyDraft(conversationId), 'one')
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
        // The address follows the shown chat, too: a new chat in a project stays as it was begun.
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
      // Changed settings and a project belong to the new chat that is left.
      if (isBlank() && !isSpecial() && drafts.get(newChatSetupDraft) === '') return
      drafts.remove(newChatSetupDraft)
      showNew()
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
      const chosen = drafts.get(copyDraft(from))
      const newId = ports.newId()
      const { temporary: _, ...ordinary } = conversation
      if (on) registerTemporaryChat(newId)
      drafts.remove(from)
      drafts.remove(copyDraft(from))
      drafts.put(on ? newId : newChatDraft, typed)
      drafts.put(copyDraft(on ? newId : newChatDraft), chosen)
      dispatch({ type: 'view-new', conversation: { ...ordinary, id: newId, ...(on && { temporary: true }) } })
      if (!on) endTemporary(id, false)
    },
  }
}

type Setup = Pick<Conversation, 'id'> & Partial<Pick<Conversation, 'settings' | 'project'>>

/**
 * Stores the settings and the project of a new chat until its first message, so that a reload finds them again. The id
 * too: the files of a project are copied to it.
 */
function keepSetups({ store, drafts }: Pick<ChatPorts, 'store' | 'drafts'>) {
  let last: Conversation | null = null

  function kept(): Setup | null {
    try {
      const setup = JSON.parse(drafts.get(newChatSetupDraft)) as Setup
      const isOld = setup.settings && setup.settings.version !== newConversationSettings('').version
      return typeof setup.id !== 'string' || isOld ? null : setup
    } catch {
      return null
    }
  }

  store.subscribe(() => {
    const state = store.getState()
    const { id, phase, sending, conversation } = viewOf(state)
    const isUnsent = phase === 'new' && !sending && !isWaitingIn(state.outbox, id)
    const shown = isUnsent && !conversation?.temporary ? conversation : null
    if (shown === last) return
    const wasHere = last?.id === id
    last = shown
    // Another chat is shown now, or this one has been sent.
    if (!shown) return wasHere ? drafts.remove(newChatSetupDraft) : undefined
    const { settings, project } = shown
    const isUsual = JSON.stringify(settings) === JSON.stringify(settingsOfNew(state.models))
    const setup: Setup = { id, ...(!isUsual && { settings }), ...(project !== undefined && { project }) }
    const text = isUsual && project === undefined ? '' : JSON.stringify(setup)
    if (text !== drafts.get(newChatSetupDraft)) drafts.put(newChatSetupDraft, text)
  })

  return { kept }
}

interface RunFollower {
  /** Joins a run of the open conversation at its start; joining the same run twice has no effect. */
  readonly follow: (conversationId: string, runId: string, replyId: string, isSide?: boolean) => void
  /** Called when the conversation is left: its run continues without this tab. */
  readonly leave: () => void
}

/** `no-entry`: the end was seen, but did not include the chat's new list entry. */
type FollowedTo = 'ended' | 'no-entry' | 'gone'

interface Followed {
  readonly runId: string
  readonly isSide: boolean
  readonly abort: AbortController
}

/**
 * Reads the run of the open conversation into the store. `onDone` is called for every end that was seen, and for a lost
 * log.
 */
export function createRunFollower(
  { store, api, wait, schedule, readRun }: ChatPorts,
  onDone: (conversationId: string, how: FollowedTo) => void,
): RunFollower {
  const { dispatch } = store
  /** Runs whose log is gone. A view that still names one must not be followed in an endless loop. */
  const lost = new Set<string>()
  /** The replies that are written side by side, and one other. */
  const followed = new Map<string, Followed>()

  async function read(conversationId: string, mine: Followed): Promise<void> {
    const { runId, abort } = mine
    let hasReported = false
    const open = (after: number, signal: AbortSignal) => api.runEvents(runId, after, signal)
    const how = await readRun(
      { open, wait, schedule },
      {
        signal: abort.signal,
        onEvents(events) {
          hasReported ||= events.some((event) => event.type === 'end' && event.summary !== undefined)
          dispatch({ type: 'run-events', runId, events })
        },
        onPlace: (place, isAlive) => dispatch({ type: 'run-queued', runId, place, isAlive }),
        onConnection: (connection) => dispatch({ type: 'run-connection', runId, connection }),
      },
    )
    if (how === 'aborted') return
    if (followed.get(runId) === mine) followed.delete(runId)
    if (how === 'gone') {
      lost.add(runId)
      dispatch({ type: 'run-lost', runId })
    }
    onDone(conversationId, how === 'ended' && !hasReported ? 'no-entry' : how)
  }

  function leave(which: (one: Followed) => boolean): void {
    for (const one of followed.values()) {
      if (!which(one)) continue
      one.abort.abort()
      followed.delete(one.runId)
    }
  }

  return {
    follow(conversationId, runId, replyId, isSide = false) {
      if (store.getState().shownId !== conversationId || followed.has(runId) || lost.has(runId)) return
      if (!isSide) leave((one) => !one.isSide)
      const mine: Followed = { runId, isSide, abort: new AbortController() }
      followed.set(runId, mine)
      dispatch({ type: 'run-joined', conversationId, runId, replyId, isSide })
      void read(conversationId, mine)
    },
    leave: () => leave(() => true),
  }
}

interface ViewLoader {
  /** Loads the shown conversation. The newest request wins, and all are ignored once another one is shown. */
  readonly load: (id: string) => Promise<void>
  /** Reloads the shown conversation, if it was read from this browser, once the server is back. */
  readonly freshen: () => Promise<void>
  /** Ignores the pending requests. */
  readonly forget: () => void
  /** An append of this page was accepted: anything read before it is outdated. */
  readonly appended: () => void
}

interface LoaderEvents {
  /** Called before it is shown. */
  onLoaded(loaded: ConversationView): void
  /** Called when it is shown for the first time since it was opened. */
  onFirst(): void
  /** Called when a reply is being written in it. */
  onRun(conversationId: string, runId: string, replyId: string, isSide: boolean): void
}

export function createViewLoader({ store, api }: Pick<ChatPorts, 'store' | 'api'>, events: LoaderEvents): ViewLoader {
  const { dispatch } = store
  const view = () => viewOf(store.getState())
  let loads = 0
  let appends = 0

  async function load(id: string): Promise<void> {
    const mine = ++loads
    const before = appends
    // Once it is shown, this page knows it better than the browser's stored copy.
    const answer = await api.view(id, { reads: view().phase === 'loading' })
    if (mine !== loads || view().id !== id) return
    if (!answer.ok) {
      // The server does not have it yet, which is expected.
      if (view().phase === 'new') return
      const { message, status } = answer.error
      return dispatch({ type: 'view-failed', conversationId: id, missing: status === 404, message })
    }
    // The response may be older than an append that was accepted meanwhile.
    if (appends !== before) return await load(id)
    const loaded = answer.value
    const isFirst = view().phase === 'loading'
    events.onLoaded(loaded)
    dispatch({ type: 'view-loaded', view: loaded })
    if (isFirst) events.onFirst()
    if (view().sending) return
    for (const runId of runsIn(loaded)) {
      const reply = loaded.messages.findLast((row) => row.role === 'assistant' && row.runId === runId)
      events.onRun(id, runId, reply?.id ?? '', loaded.sideRunIds?.includes(runId) === true)
    }
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
