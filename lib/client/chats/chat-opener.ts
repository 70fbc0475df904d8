import type { ChatActions } from './actions'
import { addressOf } from '../api/address'
import type { ChatPorts } from './chat-ports'
import { filesDraft, newChatDraft, newChatIdDraft } from '../outbox/drafts'
import type { RunFollower } from './follow-run'
import { newConversation, settingsOfNew } from './new-conversation'
import { viewOf } from '../state/open-conversations'
import type { OutboxEntry } from '../outbox/outbox-entry'
import type { Sender } from './send'
import type { ViewLoader } from './view-loader'

/** Which conversation is shown: one of the server's, one that waits to be sent, or a new one with what was left in it. */
export function createChatOpener(
  ports: ChatPorts,
  follower: Pick<RunFollower, 'leave'>,
  loader: ViewLoader,
  sender: Pick<Sender, 'flush'>,
): Pick<ChatActions, 'open' | 'newChat'> {
  const { store, drafts } = ports
  const { dispatch } = store
  const view = () => viewOf(store.getState())
  /** A chat that was begun here and that the server does not know yet. */
  const unsentChat = (id: string) =>
    ports.outbox.all().find(({ entry }) => entry.conversationId === id && entry.create !== undefined)?.entry
  /** The new chat that is shown is still empty, so that it can stand for the next one. */
  const isBlank = () => view().phase === 'new' && !view().sending && !unsentChat(view().id)

  const leave = () => {
    follower.leave()
    loader.forget()
  }

  function showNew(): void {
    leave()
    const settings = settingsOfNew(store.getState().models)
    const id = drafts.get(newChatIdDraft) || ports.newId()
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

  function showUnsent({ conversationId, createdAt, create = {} }: OutboxEntry): void {
    const { model = '', ...rest } = create
    const made = newConversation(conversationId, model, createdAt)
    dispatch({ type: 'view-new', conversation: { ...made, settings: { ...made.settings, ...rest } } })
    sender.flush()
  }

  return {
    open(conversationId) {
      ports.navigate(addressOf(conversationId))
      const { id, phase } = view()
      if (conversationId === null) {
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
      if (!isBlank()) showNew()
    },
  }
}
