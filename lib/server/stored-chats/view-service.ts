import type { ConversationView, MessagesPage } from '@/lib/shared/conversation/wire/api-types'
import type { ChatServicePorts } from './chat-service-ports'
import { noSuchChat, type StoredConversations } from './stored-conversations'

export interface ViewService {
  /** All of a conversation; with `last` its outline, and so many messages at most of the end of what is shown of it. */
  view(owner: string, id: string, last?: number): Promise<ConversationView>
  /** Messages with their calls, in the order asked for; where that is too much for one answer it ends before the last. */
  messages(owner: string, id: string, ids: readonly string[]): Promise<MessagesPage>
}

/** Of an answer, calls included: with the outline of some thousand messages it stays below a megabyte. */
const PAGE_BYTES = 700_000

/** What a page is shown of a conversation. */
export function createViewService(
  { store, runLog }: Pick<ChatServicePorts, 'store' | 'runLog'>,
  chats: Pick<StoredConversations, 'load'>,
): ViewService {
  async function endOf(owner: string, id: string, last: number): Promise<ConversationView> {
    const view = await store.loadView(owner, id, { count: last, bytes: PAGE_BYTES })
    if (!view) throw noSuchChat()
    const isDead = view.activeRunId !== null && (await runLog.recoverIfDead({ owner, runId: view.activeRunId }))
    if (isDead) return endOf(owner, id, last)
    const summary = await store.summariseConversation(owner, id)
    return summary ? { ...view, summary } : view
  }

  return {
    view: async (owner, id, last) =>
      withoutSetTools(last === undefined ? await chats.load(owner, id) : await endOf(owner, id, last)),

    async messages(owner, id, ids) {
      const page = await store.loadMessages(owner, id, ids, { count: ids.length, bytes: PAGE_BYTES })
      if (!page) throw noSuchChat()
      return page
    },
  }
}

/** A page loads the tools of a set once, by its hash: with each view they would be sent again. */
const withoutSetTools = (view: ConversationView): ConversationView => ({
  ...view,
  ...(view.tools && { tools: view.tools.filter(({ remote }) => remote === undefined) }),
})
