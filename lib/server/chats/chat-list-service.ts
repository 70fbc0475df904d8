import { foundPage, type FoundPage } from '@/lib/shared/conversation/search/found-message'
import type { ChatsChange, TagCount } from '@/lib/shared/conversation/search/list-filter'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'

/** Finding chats, and keeping them in order. */
export interface ChatListService {
  /** Messages that hold all words of a query, newest first; `after` is the `next` of the page before. */
  search(owner: string, query: string, after?: string): Promise<FoundPage>
  tags(owner: string): Promise<readonly TagCount[]>
  /** Those of these chats that are there. */
  knownChats(owner: string, ids: readonly string[]): Promise<readonly string[]>
  /** Gives the chats that are there and were changed. What is written in one that is deleted is stopped. */
  sort(owner: string, ids: readonly string[], change: ChatsChange): Promise<readonly string[]>
}

export function createChatListService({
  store,
  runLog,
  clock,
}: Pick<ChatServicePorts, 'store' | 'runLog' | 'clock'>): ChatListService {
  async function stopReplies(owner: string, ids: ReadonlySet<string>): Promise<void> {
    for (const run of await store.runningOf(owner)) {
      const row = await store.loadRun(run)
      if (row && ids.has(row.conversationId)) await runLog.stop(run)
    }
  }

  return {
    search: (owner, query, after) => store.searchMessages(owner, query, foundPage, after),
    tags: (owner) => store.listTags(owner),
    // A change of nothing.
    knownChats: (owner, ids) => store.sortConversations(owner, ids, {}, clock.now()),
    async sort(owner, ids, change) {
      if (change.deleted === true) await stopReplies(owner, new Set(ids))
      return store.sortConversations(owner, ids, change, clock.now())
    },
  }
}
