import type { ChatActions } from './actions'
import type { ChatPorts } from './chat-ports'
import { filesDraft } from './drafts'
import { viewOf } from './open-conversations'
import { say } from '@/lib/base/catalogue'
import { clientWords } from '@/lib/words/client'

export interface KeeperParts {
  readonly newChat: () => void
  readonly listChanged: () => void
  readonly raise: (conversationId: string, message: string) => void
}

/** What is done to a whole conversation: its name, its settings, its end. */
export function createChatKeeper(
  ports: ChatPorts,
  { newChat, listChanged, raise }: KeeperParts,
): Pick<ChatActions, 'rename' | 'remove' | 'updateSettings'> {
  const { store, api, drafts, outbox } = ports
  const { dispatch } = store
  const view = () => viewOf(store.getState())

  /** What was typed in it and sent to it; what is in the server's list, and shown, tells itself. */
  function forget(conversationId: string): void {
    dispatch({ type: 'conversation-removed', conversationId })
    drafts.removeEverywhere(conversationId)
    drafts.removeEverywhere(filesDraft(conversationId))
    for (const { entry } of outbox.all()) if (entry.conversationId === conversationId) outbox.remove(entry.id)
  }

  return {
    async rename(conversationId, title) {
      if (title.trim() === '') return
      const answer = await api.patchConversation(conversationId, { title: title.trim() })
      if (!answer.ok) return raise(view().id, say(clientWords, 'client.not-renamed', { why: answer.error.message }))
      dispatch({ type: 'conversation-changed', conversation: answer.value })
      ports.announce(conversationId)
      listChanged()
    },
    async remove(conversationId) {
      const answer = await api.removeConversation(conversationId)
      const goneAlready = !answer.ok && answer.error.status === 404
      if (!answer.ok && !goneAlready)
        return raise(view().id, say(clientWords, 'client.not-deleted', { why: answer.error.message }))
      const wasShown = view().id === conversationId
      forget(conversationId)
      if (wasShown) newChat()
      ports.announce(conversationId)
      listChanged()
      // The files are only in this browser. When it won't remove them now, nothing else depends on it.
      await ports.deleteFiles(conversationId).catch(() => {})
    },
    async updateSettings(settings) {
      const { id, phase, conversation } = view()
      const before = conversation?.settings
      dispatch({ type: 'settings-changed', conversationId: id, settings })
      if (phase === 'new') return null
      const isMine = () => store.getState().open.get(id)?.conversation?.settings === settings
      const answer = await api.patchConversation(id, { settings })
      if (answer.ok) {
        if (isMine()) dispatch({ type: 'conversation-changed', conversation: answer.value })
        ports.announce(id)
        return null
      }
      if (before && isMine()) dispatch({ type: 'settings-changed', conversationId: id, settings: before })
      raise(id, say(clientWords, 'client.settings-not-saved', { why: answer.error.message }))
      return answer.error.message
    },
  }
}
