import type { ChatActions, ThreadActions } from './actions'
import type { ChatPorts } from './chat-ports'
import { isHere } from '@/lib/shared/conversation/chat-row'
import { newestLeafOfTree } from '@/lib/shared/conversation/message-tree'
import { viewOf } from '../state/open-conversations'
import type { Sender } from './send'
import { t } from '@/lib/i18n/t'

export interface ThreadParts {
  readonly sender: Pick<Sender, 'user' | 'reply' | 'again'>
  readonly raise: (conversationId: string, message: string) => void
}

export interface ChatThread {
  readonly actions: ThreadActions & Pick<ChatActions, 'goBackTo'>
  /** A reply of this chat is on its way; a Stop that came before it was known holds for it. */
  readonly joined: () => void
  /** Something else than the person began a reply: no Stop is meant for it. */
  readonly expect: () => void
  /** The server took a message of this chat, and with it the place where it stands. */
  readonly accepted: (conversationId: string) => void
  /** The chat was loaded as the server has it. */
  readonly loaded: (conversationId: string) => void
}

/** What a person does in the thread of the shown chat. */
export function createThread(ports: ChatPorts, { sender, raise }: ThreadParts): ChatThread {
  const { store, api } = ports
  const { dispatch } = store
  const view = () => viewOf(store.getState())
  let stopWanted = false
  /** The person went to another place in this chat, and the server has not confirmed it: what is sent next names it itself. */
  let goingTo: { readonly conversationId: string; failed: boolean } | null = null

  async function storeHead(id: string, headId: string | null, how: { headStays?: true } = {}): Promise<void> {
    const mine = { conversationId: id, failed: false }
    goingTo = mine
    const answer = await api.patchConversation(id, { headId, ...how })
    if (!answer.ok) {
      mine.failed = true
      return raise(id, answer.error.message)
    }
    if (goingTo === mine) goingTo = null
    dispatch({ type: 'conversation-changed', conversation: answer.value })
    ports.announce(id)
  }

  async function stopRun(conversationId: string, runId: string): Promise<void> {
    dispatch({ type: 'run-stopping', runId, stopping: true })
    const answer = await api.stopRun(runId)
    if (answer.ok) return
    dispatch({ type: 'run-stopping', runId, stopping: false })
    raise(conversationId, t('client.not-stopped', { why: answer.error.message }))
  }

  const actions: ChatThread['actions'] = {
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
      if (run?.stopping) void api.stopRun(run.runId)
      else if (run) void stopRun(id, run.runId)
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
      return isHere(old) && old.role === 'user' && sender.user(text, old.parentId, { files: old, branch: 'edit' })
    },
    switchBranch(messageId) {
      const { id, tree, run, sending } = view()
      if (!tree.has(messageId) || run || sending) return
      dispatch({ type: 'branch-switched', conversationId: id, headId: newestLeafOfTree(tree, messageId) })
      void storeHead(id, messageId)
    },
    goBackTo(messageId) {
      const { id, tree, run, sending, phase } = view()
      if (phase !== 'ready' || run || sending || (messageId !== null && !tree.has(messageId))) return false
      dispatch({ type: 'head-moved', conversationId: id, headId: messageId })
      void storeHead(id, messageId, { headStays: true })
      return true
    },
  }

  return {
    actions,
    joined() {
      if (stopWanted) actions.stop()
    },
    expect() {
      stopWanted = false
    },
    accepted(conversationId) {
      if (goingTo?.conversationId === conversationId) goingTo = null
    },
    loaded(conversationId) {
      if (goingTo?.conversationId === conversationId && goingTo.failed) goingTo = null
    },
  }
}
