import type { ChatResponse } from '@/lib/shared/conversation/wire/api-types'
import type { ChatActions } from './actions'
import { createChatOpener, createRunFollower, createViewLoader } from './chat-opener'
import type { ChatPorts, ConversationActionParts } from './chat-ports'
import { createModelsLoader } from './models-loader'
import { viewOf, draftIdOf } from '../state/open-conversations'
import { createSender, createThread } from './send'
import { t } from '@/lib/i18n/t'
import { replaceEqualDeep } from '@/lib/base/replace-equal'

const typingMs = 150
const retryMs = 3_000

/** Loads the conversation list; the newest request wins. Its regular requests also tell whether the server answers. */
function createListLoader({ store, api, wait, schedule }: Pick<ChatPorts, 'store' | 'api' | 'wait' | 'schedule'>) {
  let count = 0
  let cancel: (() => void) | null = null
  let asked: string | null = null

  /** Resolves with the ids of rows that differ from the known ones, in an unfiltered list. */
  async function load(): Promise<ReadonlySet<string>> {
    cancel?.()
    cancel = null
    const mine = ++count
    const { query } = store.getState()
    const answer = await api.conversations(query)
    if (!answer.ok) {
      if (answer.error.code === 'unreachable') store.dispatch({ type: 'online-changed', online: false })
      if (mine === count) void loadAgain(mine)
      return new Set()
    }
    const { conversations, next = null, keptAt } = answer.value
    store.dispatch({ type: 'online-changed', online: keptAt === undefined })
    if (mine !== count) return new Set()
    if (keptAt !== undefined) {
      // What this page knows is newer than the stored list.
      if (store.getState().conversations === null)
        store.dispatch({ type: 'conversations-loaded', query, conversations, next: null })
      void loadAgain(mine)
      return new Set()
    }
    const known = new Map(store.getState().conversations?.map((row) => [row.id, row]))
    const changed = conversations.filter((row) => {
      const before = known.get(row.id)
      return replaceEqualDeep(before, row) !== before
    })
    store.dispatch({ type: 'conversations-loaded', query, conversations, next })
    return new Set(changed.map((row) => row.id))
  }

  async function loadAgain(mine: number): Promise<void> {
    await wait(retryMs)
    if (mine === count) await load()
  }

  /** Loads the next page of the list. Returns false if it could not be loaded. */
  async function loadMore(): Promise<boolean> {
    const { query, listed } = store.getState()
    if (listed.next === null || listed.query !== query || asked === listed.next) return true
    asked = listed.next
    const answer = await api.conversations(query, listed.next)
    asked = null
    if (!answer.ok) return false
    const { conversations, next = null } = answer.value
    store.dispatch({ type: 'conversations-loaded', query, conversations, next, more: true })
    return true
  }

  return {
    load,
    loadMore,
    /** Loads soon, once: for typing and for many notifications from other tabs. */
    loadSoon() {
      cancel?.()
      cancel = schedule(() => void load(), typingMs)
    },
  }
}

export interface ChatController {
  readonly actions: ChatActions
  /** Loads the list and the models. */
  readonly start: () => void
  /** Shows an append that another part made (the call controller's results) and follows the reply to it. */
  readonly joinRun: (conversationId: string, response: ChatResponse) => void
  /** Something may have changed elsewhere: reloads the list and, if the open conversation changed, the conversation. */
  readonly refresh: () => void
  /** Call it when another tab says that this conversation changed. */
  readonly changedElsewhere: (conversationId: string | null) => void
}

/** The only part of the chat that talks to the server. A failure becomes an event with a sentence; nothing rejects. */
export function createChatController(ports: ChatPorts): ChatController {
  const { store } = ports
  const { dispatch } = store
  const view = () => viewOf(store.getState())
  const raise = (conversationId: string, message: string) =>
    dispatch({ type: 'problem-raised', conversationId, problem: { message, canRetry: false } })

  const list = createListLoader(ports)
  const models = createModelsLoader(ports)
  const follower = createRunFollower(ports, (conversationId, how) => {
    if (how === 'gone') void loader.load(conversationId)
    if (how !== 'ended' || isListStale()) void list.load()
    ports.announce(conversationId)
    sender.flush()
  })
  const sender = createSender(ports, {
    onAccepted(conversationId, response) {
      thread.accepted(conversationId)
      join(conversationId, response)
    },
    onRefused(conversationId) {
      // The conflict (a reply in another tab, a deleted parent) is on the server: show it.
      const { id, phase } = view()
      if (id === conversationId && (phase === 'ready' || phase === 'new')) void loader.load(conversationId)
    },
  })
  const loader = createViewLoader(ports, {
    onLoaded(loaded) {
      sender.settle(loaded)
      thread.loaded(loaded.conversation.id)
    },
    onFirst: () => sender.flush(),
    onRun: follower.follow,
  })
  const thread = createThread(ports, {
    sender,
    raise,
    joinSide(conversationId, { runId, replyId }) {
      loader.appended()
      follower.follow(conversationId, runId, replyId, true)
      ports.announce(conversationId)
    },
  })
  const opener = createChatOpener(ports, follower, loader, sender, (id, isSent) => void keeper.endTemporary(id, isSent))
  const keeper = ports.createConversationActions(ports, {
    newChat: opener.newChat,
    listChanged: () => void list.load(),
    raise,
  })

  /**
   * True for a search, whose results only the server knows, and while replies in other chats end unseen by this page.
   */
  const isListStale = () => {
    const { query, conversations, shownId } = store.getState()
    return query !== '' || (conversations?.some(({ id, running }) => running && id !== shownId) ?? false)
  }

  function join(conversationId: string, { runId, replyId }: ChatResponse): void {
    loader.appended()
    follower.follow(conversationId, runId, replyId)
    thread.joined()
    dispatch({ type: 'online-changed', online: true })
    ports.announce(conversationId)
    if (isListStale()) list.loadSoon()
  }

  async function reloadIfChanged(id: string, anyway: boolean): Promise<void> {
    const rows = await list.load()
    if (anyway || (rows.has(id) && canReload(id))) await loader.load(id)
  }

  /** New chats included: another tab may have sent a message that waits in one. */
  const canReload = (id: string) =>
    view().id === id && (view().phase === 'ready' || view().phase === 'new') && !view().sending

  const { endTemporary: _, ...kept } = keeper
  const actions: ChatActions = {
    ...thread.actions,
    ...opener,
    ...kept,
    updateSettings: createSettingsUpdate(ports, raise),
    addToDraft: (text) => addToDraft(ports, text),
    search(query) {
      dispatch({ type: 'query-changed', query })
      list.loadSoon()
    },
    moreChats: list.loadMore,
    listChanged() {
      ports.announce(null)
      void list.load()
    },
    dismissProblem() {
      sender.forget()
      dispatch({ type: 'problem-dismissed' })
    },
    async reloadModels() {
      const problem = await models.reload()
      if (problem !== null) raise(view().id, t('client.models-not-listed', { why: problem }))
    },
    sendWaiting: () => sender.flush({ now: true }),
    rewriteWaiting: sender.rewrite,
    discardWaiting: sender.discard,
    holdWaiting: sender.holdToEdit,
    async sendNow(messageId) {
      const isNext = await sender.hurry(messageId)
      if (isNext) actions.stop()
      return isNext
    },
  }

  return {
    actions,
    start() {
      let { online } = store.getState()
      store.subscribe(() => {
        const isBack = store.getState().online && !online
        ;({ online } = store.getState())
        if (isBack) void loader.freshen()
      })
      sender.flush()
      void list.load().then(() => sender.flush())
      void models.load()
    },
    joinRun(conversationId, response) {
      thread.expect()
      dispatch({ type: 'send-accepted', conversationId, response })
      join(conversationId, response)
    },
    refresh() {
      const { id, phase } = view()
      sender.flush()
      void reloadIfChanged(id, phase === 'failed')
    },
    changedElsewhere(conversationId) {
      list.loadSoon()
      if (conversationId !== null && canReload(conversationId)) void loader.load(conversationId)
    },
  }
}

function addToDraft({ store, drafts }: ChatPorts, text: string): void {
  const key = draftIdOf(store.getState())
  const typed = drafts.get(key).trimEnd()
  drafts.put(key, typed === '' ? text : `${typed}\n${text}`)
}

/** Settings of the shown chat take effect at once, and are reverted if the server refuses them. */
function createSettingsUpdate(
  { store, api, announce }: Pick<ChatPorts, 'store' | 'api' | 'announce'>,
  raise: ConversationActionParts['raise'],
): ChatActions['updateSettings'] {
  const { dispatch } = store
  return async (settings) => {
    const { id, phase, conversation } = viewOf(store.getState())
    const before = conversation?.settings
    dispatch({ type: 'settings-changed', conversationId: id, settings })
    if (phase === 'new') return null
    const isMine = () => store.getState().open.get(id)?.conversation?.settings === settings
    const answer = await api.patchConversation(id, { settings })
    if (answer.ok) {
      if (isMine()) dispatch({ type: 'conversation-changed', conversation: answer.value })
      announce(id)
      return null
    }
    if (before && isMine()) dispatch({ type: 'settings-changed', conversationId: id, settings: before })
    raise(id, t('client.settings-not-saved', { why: answer.error.message }))
    return answer.error.message
  }
}
