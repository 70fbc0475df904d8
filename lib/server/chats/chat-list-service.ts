import {
  type ChatsChange,
  type TagCount,
  foundPage,
  type FoundPage,
} from '@/lib/shared/conversation/search/list-filter'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { WhyNoTitle } from '@/lib/i18n/stored-text'
import { AppError } from '@/lib/base/app-error'
import { isBrowserModel } from '@/lib/base/model-id'
import { maxTitleReplyLength, titleIn, titleRequest } from '@/lib/shared/conversation/wire/trial'
import { makeError } from '@/lib/i18n/t'
import type { Visitor } from '../quota/rate'
import type { StoredConversations } from '../stored-chats/stored-conversations'
import type { TrialService } from './trial-service'

/** Searches and sorts chats. */
export interface ChatListService {
  /**
   * Messages that contain all words of a query, newest first; `after` is the `next` of the previous page; `project`
   * limits the search to its chats.
   */
  search(owner: string, query: string, after?: string, project?: string): Promise<FoundPage>
  tags(owner: string): Promise<readonly TagCount[]>
  /** Which of these chats exist. */
  knownChats(owner: string, ids: readonly string[]): Promise<readonly string[]>
  /** Returns the chats that exist and were changed. Deleting a chat stops its running reply. */
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
    search: (owner, query, after, project) => store.searchMessages(owner, query, foundPage, after, project),
    tags: (owner) => store.listTags(owner),
    // An empty change.
    knownChats: (owner, ids) => store.sortConversations(owner, ids, {}, clock.now()),
    async sort(owner, ids, change) {
      if (change.deleted === true) await stopReplies(owner, new Set(ids))
      return store.sortConversations(owner, ids, change, clock.now())
    },
  }
}

export interface TitleService {
  /**
   * Suggests a title by the chat's own model, which is asked without tools, under the same limits and metering as a
   * reply. Changes nothing. `gone`: aborts when the client disconnects. Rejects with AppError if there is no title.
   */
  suggestTitle(owner: string, id: string, gone: AbortSignal, visitor?: Visitor): Promise<{ readonly title: string }>
}

const COME_AGAIN_SECONDS = 3
/** How many of the newest messages are used. */
const maxMessages = 200

export function createTitleService(chats: Pick<StoredConversations, 'loadBranch'>, trials: TrialService): TitleService {
  return {
    async suggestTitle(owner, id, gone, visitor) {
      const { conversation, messages } = await chats.loadBranch(owner, id, { limit: maxMessages, callsOf: 'head' })
      const { model } = conversation.settings
      if (isBrowserModel(model)) throw makeError('bad-request', 'chat.title.in-browser')
      const request = titleRequest(messages, model)
      if (!request) throw makeError('bad-request', 'chat.title.nothing-said')
      const leave = new AbortController()
      const lines = await trials
        .trial(owner, request, AbortSignal.any([gone, leave.signal]), visitor)
        .catch((error: unknown) => {
          throw error instanceof AppError && error.reason === 'chat.lab.busy'
            ? makeError('unavailable', 'chat.title.busy', {}, { cause: error, retryAfterSeconds: COME_AGAIN_SECONDS })
            : error
        })
      let text = ''
      for await (const some of lines) {
        for (const line of some) {
          if (line.type === 'text') text += line.text
          if (text.length > maxTitleReplyLength) leave.abort()
          if (line.type === 'end' && line.failure) {
            const why: WhyNoTitle = { why: line.failure.message, said: line.failure.said ?? [] }
            throw makeError('unavailable', 'chat.title.failed', why)
          }
        }
      }
      const title = titleIn(text)
      if (title === null) throw makeError('unavailable', 'chat.title.none')
      return { title }
    },
  }
}
