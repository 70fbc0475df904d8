import type { ChatPorts, ConversationActions, ConversationActionParts } from './chat-ports'
import { addressOf } from '../api/address'
import { forgetTemporaryChat } from '../outbox/temporary-chats'
import { copyDraft, questionDraft, filesDraft, newChatIdDraft } from '../outbox/drafts'
import { viewOf } from '../state/open-conversations'
import { sortInParts } from '../api/deletions'
import { t } from '@/lib/i18n/t'

/** Actions on a whole conversation that the server knows: its name, its deletion, and which messages models get. */
export function createConversationActions(
  ports: ChatPorts,
  { newChat, listChanged, raise }: ConversationActionParts,
): ConversationActions {
  const { store, api, drafts, outbox } = ports
  const { dispatch } = store
  const view = () => viewOf(store.getState())

  /** Removes its drafts and its outbox messages. */
  function forget(conversationId: string): void {
    for (const id of [
      conversationId,
      filesDraft(conversationId),
      questionDraft(conversationId),
      copyDraft(conversationId),
    ])
      drafts.removeEverywhere(id)
    for (const { entry } of outbox.all()) if (entry.conversationId === conversationId) outbox.remove(entry.id)
  }

  return {
    async rename(conversationId, title) {
      if (title.trim() === '') return
      const answer = await api.patchConversation(conversationId, { title: title.trim() })
      if (!answer.ok) return raise(view().id, t('list.not-renamed', { why: answer.error.message }))
      dispatch({ type: 'conversation-changed', conversation: answer.value })
      ports.announce(conversationId)
      listChanged()
    },
    async remove(ids) {
      const { done, problem } = await sortInParts(api, ids, { deleted: true })
      if (problem) raise(view().id, t('list.not-deleted', { why: problem.message }))
      // Chats that no longer exist count as deleted.
      const gone = problem ? done : ids
      if (gone.length === 0) return
      const wasShown = gone.includes(view().id)
      const { open } = store.getState()
      dispatch({ type: 'rows-left', ids: gone })
      for (const conversationId of gone)
        if (open.has(conversationId)) dispatch({ type: 'conversation-removed', conversationId })
      if (wasShown) newChat()
      for (const id of gone) ports.announce(id)
      listChanged()
      ports.deleted(gone)
    },
    async forgetForGood(ids) {
      for (const id of ids) {
        forget(id)
        // The files are only in this browser. If they can't be removed now, nothing else depends on it.
        await ports.deleteFiles(id).catch(() => {})
      }
    },
    async keepChat() {
      const { id, conversation, run, sending } = view()
      if (!conversation?.temporary) return
      // The page is loaded again, which would end a reply that this tab writes.
      if (run || sending) return raise(id, t('temporary.writing'))
      const problem = await ports.storeFiles(id).catch(() => t('import.no-files'))
      if (problem !== null) return raise(id, t('temporary.not-kept', { why: problem }))
      const answer = await api.patchConversation(id, { temporary: 'keep' })
      if (!answer.ok) {
        await ports.deleteFiles(id).catch(() => {})
        return raise(id, t('temporary.not-kept', { why: answer.error.message }))
      }
      const typed = drafts.get(id)
      drafts.remove(id)
      forgetTemporaryChat(id)
      if (typed !== '') drafts.put(id, typed)
      dispatch({ type: 'conversation-changed', conversation: answer.value })
      ports.announce(id)
      // The file views of this page hold the in-memory files, so load the page again.
      ports.openPage(addressOf(id))
    },
    async endTemporary(id, isSent) {
      if (isSent) await api.deleteConversation(id)
      forget(id)
      if (drafts.get(newChatIdDraft) === id) drafts.remove(newChatIdDraft)
      await ports.deleteFiles(id).catch(() => {})
      const { open, shownId } = store.getState()
      if (open.has(id) && shownId !== id) dispatch({ type: 'conversation-removed', conversationId: id })
      forgetTemporaryChat(id)
    },
    async updateMarks(marks) {
      const { id } = view()
      const answer = await api.patchConversation(id, { marks })
      if (!answer.ok) return answer.error.message
      const now = store.getState().open.get(id)?.conversation
      if (now) {
        const { marks: _before, ...rest } = now
        dispatch({
          type: 'conversation-changed',
          conversation: { ...rest, ...(answer.value.marks && { marks: answer.value.marks }) },
        })
      }
      ports.announce(id)
      return null
    },
  }
}
