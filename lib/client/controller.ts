import type { ChatResponse, ModelsResponse } from '@/lib/conversation/api-types'
import type { ChatActions } from './actions'
import { addressOf } from './address'
import { say } from '@/lib/base/catalogue'
import { clientWords } from '@/lib/words/client'
import { ApiFailure, sentenceOf } from './api'
import type { ChatPorts } from './chat-ports'
import { filesDraft, newChatIdDraft } from './drafts'
import { createRunFollower } from './follow-run'
import { newChatDraft } from './drafts'
import { createListLoader } from './list-loader'
import { newestLeaf } from '@/lib/conversation/message-tree'
import { newConversation } from './new-conversation'
import { createSender } from './send'
import { draftIdOf } from './waiting-in'

export interface ChatController {
  readonly actions: ChatActions
  /** Loads the list and the models. */
  readonly start: () => void
  /** Shows an append that somebody else made (the call controller's results) and follows the reply to it. */
  readonly joinRun: (conversationId: string, response: ChatResponse) => void
  /** Something may have changed elsewhere: asks the list and, when the open conversation changed, loads it again. */
  readonly refresh: () => void
  /** Another tab said that this conversation changed. */
  readonly changedElsewhere: (conversationId: string | null) => void
}

const modelsRetryMs = 3_000

/**
 * The one place that talks to the server for the chat. A failure becomes an event with a sentence; only
 * `updateSettings` rejects as well, so that a form can keep what was typed.
 */
export function createChatController(ports: ChatPorts): ChatController {
  const { store, api, drafts } = ports
  const { dispatch } = store
  const view = () => store.getState().view
  const list = createListLoader(ports)
  let stopWanted = false
  let loads = 0
  /** Appends that this page knows to have been accepted. */
  let appends = 0
  /** The person went to another place in this chat, and the server has not confirmed it: what is sent next names it itself. */
  let goingTo: { readonly conversationId: string; failed: boolean } | null = null

  const changed = (conversationId: string) => {
    ports.announce(conversationId)
    void list.load()
  }
  const follower = createRunFollower(ports, (conversationId, how) => {
    if (how === 'gone') void loadView(conversationId)
    changed(conversationId)
    sender.flush()
  })
  const sender = createSender(ports, {
    onAccepted(conversationId, response) {
      if (goingTo?.conversationId === conversationId) goingTo = null
      join(conversationId, response)
      if (view().id === conversationId && view().conversation?.title === '') void loadTitle(conversationId)
    },
    onRefused(conversationId) {
      // Whatever stands in the way (a reply in another tab, a deleted parent) is on the server: show it.
      if (view().id === conversationId && (view().phase === 'ready' || view().phase === 'new'))
        void loadView(conversationId)
    },
  })
  /** A chat that was begun here and that the server does not know yet. */
  const unsentChat = (id: string) =>
    ports.outbox.all().find(({ entry }) => entry.conversationId === id && entry.create !== undefined)?.entry
  /** The new chat that is shown is still empty, so that it can stand for the next one. */
  const isBlank = () => view().phase === 'new' && !view().sending && !unsentChat(view().id)

  function join(conversationId: string, { runId, replyId }: ChatResponse): void {
    appends += 1
    follower.follow(conversationId, runId, replyId)
    if (stopWanted) actions.stop()
    changed(conversationId)
  }

  async function loadView(id: string): Promise<void> {
    const mine = ++loads
    const isWanted = () => mine === loads && view().id === id
    const before = appends
    try {
      const loaded = await api.view(id)
      if (!isWanted()) return
      // It may have been read before what was accepted meanwhile.
      if (appends !== before) return await loadView(id)
      const isFirst = view().phase === 'loading'
      sender.settle(loaded)
      dispatch({ type: 'view-loaded', view: loaded })
      if (goingTo?.conversationId === id && goingTo.failed) goingTo = null
      if (isFirst) sender.flush()
      const { activeRunId, messages } = loaded
      if (activeRunId === null || view().sending) return
      const reply = messages.findLast((row) => row.role === 'assistant' && row.runId === activeRunId)
      follower.follow(id, activeRunId, reply?.id ?? '')
    } catch (error) {
      if (!isWanted()) return
      const missing = error instanceof ApiFailure && error.status === 404
      // It is not there yet, which is no news.
      if (view().phase === 'new') return
      dispatch({ type: 'view-failed', conversationId: id, missing, message: sentenceOf(error) })
    }
  }

  /** The server names a chat after its first message. */
  async function loadTitle(id: string): Promise<void> {
    const loaded = await api.view(id).catch(() => null)
    if (loaded) dispatch({ type: 'conversation-changed', conversation: loaded.conversation })
  }

  async function loadModels(): Promise<void> {
    const models = await api.models().catch(() => null)
    if (!models) return void ports.wait(modelsRetryMs).then(loadModels)
    takeModels(models)
  }

  function takeModels(models: ModelsResponse): void {
    dispatch({ type: 'models-loaded', models })
    const { phase, id, conversation } = view()
    if (phase !== 'new' || conversation?.settings.model !== '') return
    const settings = { ...conversation.settings, model: models.defaultModel }
    dispatch({ type: 'settings-changed', conversationId: id, settings })
  }

  function showNew(): void {
    follower.leave()
    loads += 1
    const model = store.getState().models?.defaultModel ?? ''
    const id = drafts.get(newChatIdDraft) || ports.newId()
    dispatch({ type: 'view-new', conversation: newConversation(id, model, ports.now()) })
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

  const raise = (conversationId: string, message: string) =>
    dispatch({ type: 'problem-raised', conversationId, problem: { message, canRetry: false } })

  const actions: ChatActions = {
    open(conversationId) {
      ports.navigate(addressOf(conversationId))
      const { id, phase } = view()
      if (conversationId === null) {
        if (!isBlank()) showNew()
      } else if (id === conversationId) {
        if (phase === 'failed' || phase === 'missing') void loadView(conversationId)
      } else {
        follower.leave()
        void adoptIn(conversationId)
        const unsent = unsentChat(conversationId)
        if (unsent) {
          loads += 1
          const { model = '', ...rest } = unsent.create ?? {}
          const made = newConversation(conversationId, model, unsent.createdAt)
          dispatch({ type: 'view-new', conversation: { ...made, settings: { ...made.settings, ...rest } } })
          sender.flush()
        } else {
          dispatch({ type: 'view-opened', conversationId })
          void loadView(conversationId)
        }
      }
    },
    newChat() {
      ports.navigate(addressOf(null))
      if (!isBlank()) showNew()
    },
    send(text, attachments = []) {
      stopWanted = false
      const { id, path, tree } = view()
      const parentId = path.at(-1)?.id ?? null
      if (goingTo?.conversationId !== id) return sender.user(text, parentId, { files: attachments })
      const isEnd = ![...tree.values()].some((row) => row.parentId === parentId)
      return sender.user(text, parentId, { files: attachments, branch: isEnd ? 'leaf' : 'back' })
    },
    stop() {
      const { run, sending, id } = view()
      stopWanted = sending && !run
      if (!run || run.stopping) return
      const { runId } = run
      dispatch({ type: 'run-stopping', runId, stopping: true })
      api.stopRun(runId).catch((error: unknown) => {
        dispatch({ type: 'run-stopping', runId, stopping: false })
        raise(id, say(clientWords, 'client.not-stopped', { why: sentenceOf(error) }))
      })
    },
    retry() {
      const { path } = view()
      stopWanted = false
      if (sender.again()) return
      const last = path.at(-1)
      const parentId = last?.role === 'assistant' ? last.parentId : last?.id
      if (typeof parentId === 'string') sender.reply(parentId)
    },
    regenerate(replyId) {
      stopWanted = false
      const reply = view().tree.get(replyId)
      if (reply?.role === 'assistant' && reply.parentId !== null) sender.reply(reply.parentId)
    },
    edit(userMessageId, text) {
      stopWanted = false
      const old = view().tree.get(userMessageId)
      return old?.role === 'user' && sender.user(text, old.parentId, { files: old, branch: 'edit' })
    },
    switchBranch(messageId) {
      const { id, tree, run, sending } = view()
      if (!tree.has(messageId) || run || sending) return
      dispatch({ type: 'branch-switched', conversationId: id, headId: newestLeaf(tree, messageId) })
      void storeHead(id, messageId)
    },
    goBackTo(messageId) {
      const { id, tree, run, sending, phase } = view()
      if (phase !== 'ready' || run || sending || (messageId !== null && !tree.has(messageId))) return false
      dispatch({ type: 'head-moved', conversationId: id, headId: messageId })
      void storeHead(id, messageId, { headStays: true })
      return true
    },
    addToDraft(text) {
      const key = draftIdOf(store.getState())
      const typed = drafts.get(key).trimEnd()
      drafts.put(key, typed === '' ? text : `${typed}\n${text}`)
    },
    async rename(conversationId, title) {
      if (title.trim() === '') return
      try {
        const conversation = await api.patchConversation(conversationId, { title: title.trim() })
        dispatch({ type: 'conversation-changed', conversation })
        changed(conversationId)
      } catch (error) {
        raise(view().id, say(clientWords, 'client.not-renamed', { why: sentenceOf(error) }))
      }
    },
    async remove(conversationId) {
      try {
        await api.removeConversation(conversationId)
      } catch (error) {
        const goneAlready = error instanceof ApiFailure && error.status === 404
        if (!goneAlready) return raise(view().id, say(clientWords, 'client.not-deleted', { why: sentenceOf(error) }))
      }
      dispatch({ type: 'conversation-removed', conversationId })
      drafts.removeEverywhere(conversationId)
      drafts.removeEverywhere(filesDraft(conversationId))
      for (const { entry } of ports.outbox.all())
        if (entry.conversationId === conversationId) ports.outbox.remove(entry.id)
      if (view().id === conversationId) actions.newChat()
      changed(conversationId)
      // The files are only in this browser. When it won't remove them now, nothing else depends on it.
      await ports.deleteFiles(conversationId).catch(() => {})
    },
    search(query) {
      dispatch({ type: 'query-changed', query })
      list.loadSoon()
    },
    async updateSettings(settings) {
      const { id, phase, conversation } = view()
      const before = conversation?.settings
      dispatch({ type: 'settings-changed', conversationId: id, settings })
      if (phase === 'new') return
      const stillMine = () => view().id === id && view().conversation?.settings === settings
      try {
        const stored = await api.patchConversation(id, { settings })
        if (stillMine()) dispatch({ type: 'conversation-changed', conversation: stored })
        ports.announce(id)
      } catch (error) {
        if (before && stillMine()) dispatch({ type: 'settings-changed', conversationId: id, settings: before })
        raise(id, say(clientWords, 'client.settings-not-saved', { why: sentenceOf(error) }))
        throw error
      }
    },
    dismissProblem() {
      sender.forget()
      dispatch({ type: 'problem-dismissed' })
    },
    async reloadModels() {
      try {
        takeModels(await api.models())
      } catch (error) {
        raise(view().id, say(clientWords, 'client.models-not-listed', { why: sentenceOf(error) }))
      }
    },
    sendWaiting: () => sender.flush({ now: true }),
    rewriteWaiting: (messageId, text) => sender.rewrite(messageId, text),
    discardWaiting: (messageId) => sender.discard(messageId),
  }

  async function storeHead(id: string, headId: string | null, how: { headStays?: true } = {}): Promise<void> {
    const mine = { conversationId: id, failed: false }
    goingTo = mine
    try {
      const conversation = await api.patchConversation(id, { headId, ...how })
      if (goingTo === mine) goingTo = null
      dispatch({ type: 'conversation-changed', conversation })
      ports.announce(id)
    } catch (error) {
      mine.failed = true
      raise(id, sentenceOf(error))
    }
  }

  async function reloadIfChanged(id: string, anyway: boolean): Promise<void> {
    const rows = await list.load()
    if (anyway || (rows.has(id) && canReload(id))) await loadView(id)
  }

  /** A new chat too: another tab may have sent what waits in it. */
  const canReload = (id: string) =>
    view().id === id && (view().phase === 'ready' || view().phase === 'new') && !view().sending

  return {
    actions,
    start() {
      sender.flush()
      void list.load().then(() => sender.flush())
      void loadModels()
    },
    joinRun(conversationId, response) {
      stopWanted = false
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
      if (conversationId !== null && canReload(conversationId)) void loadView(conversationId)
    },
  }
}
