import type { ConversationView, MessagesPage } from '@/lib/shared/conversation/wire/api-types'
import type {
  AssistantMessage,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  LogEntry,
  Message,
  MessageImage,
  UserMessage,
} from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord } from '@/lib/shared/conversation/call-record'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import type { ImportedConversation } from '@/lib/shared/conversation/wire/import-settings'
import type { ListFilter, ListPosition } from '@/lib/shared/conversation/search/list-filter'
import type { PromptContext } from '@/lib/shared/conversation/settings/project'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { RunClaim } from './quotas'
import type { RunWriterRow } from './run-store'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import type { OutlineRow } from '@/lib/shared/conversation/outline'

/** The page size of a chat; the limit that is reached first applies. */
interface PageSize {
  readonly count: number
  /** Bytes of the rows of its messages and their calls. */
  readonly bytes: number
}

/** A page has at least this many messages, however large they are. */
const FEWEST = 8

/** The leading ids that fit on a page. `sizeOf`: bytes of a message with its calls. */
export function pageOf(
  ids: readonly string[],
  { count, bytes }: PageSize,
  sizeOf: (id: string) => number,
): readonly string[] {
  let sum = 0
  const end = ids.findIndex((id, at) => {
    sum += sizeOf(id)
    return at >= count || (at >= FEWEST && sum > bytes)
  })
  return end < 0 ? ids : ids.slice(0, end)
}

/** The last messages of the branch that ends with `headId`, root first, as many as fit on a page. */
export function endOfBranch(
  rows: readonly OutlineRow[],
  headId: string | null,
  size: PageSize,
  callBytes: ReadonlyMap<string, number>,
): readonly string[] {
  const path = treePathTo(treeOf(rows), headId).toReversed()
  const sizes = new Map(path.map((row) => [row.id, row.size]))
  const sizeOf = (id: string) => (sizes.get(id) ?? 0) + (callBytes.get(id) ?? 0)
  return pageOf(
    path.map(({ id }) => id),
    size,
    sizeOf,
  ).toReversed()
}

/** All rows of a conversation, including those that a page shows. */
export interface StoredConversation extends ConversationView {
  /** Includes those of its tool sets. */
  readonly tools: readonly RegisteredTool[]
  /** The parts of its system prompt outside of its settings; omitted: none. */
  readonly context?: PromptContext
}

/** Which part of a conversation to load: a branch from the beginning of the chat to a message, or the end of it. */
export interface BranchPart {
  /** The branch ends with this message; null: before the first one; omitted: at the head of the chat. */
  readonly head?: string | null
  /** Instead of `head`: the branch ends with the parent of this message. */
  readonly before?: string
  /** At most this many of the newest messages. */
  readonly limit?: number
  /** No more messages once the newer ones have about this many characters as JSON. */
  readonly chars?: number
  /** Which messages' calls are returned; omitted: all. */
  readonly callsOf?: 'head'
  /** Also returns the children of the last message. */
  readonly answers?: boolean
}

/** `messages` in branch order, with their `calls` and `amendments`. */
export interface StoredBranch extends StoredConversation {
  /** The number of messages in the branch before the first of these. */
  readonly older: number
  /** The number of `unfinished` results in the whole branch, plus the outcomes that were sent later. */
  readonly openEnds: number
  /** The children of the last message, in order of arrival; [] if not requested. */
  readonly answers: readonly Message[]
}

/** A call's row before (null: none yet) and after the append; any other current row refuses the append. */
export interface PlannedCall {
  readonly before: CallRecord | null
  readonly after: CallRecord
}

/**
 * What an append stores in ONE transaction: the user message (if any), the calls it closes, the empty reply, its run
 * with the `start` event, the new head. Refuses with AppError: `run-in-progress`, `call-not-open` (a row of `calls` or
 * an amendment of `seen` changed meanwhile), `conflict` (a message id is in use; with `headId`: the chat does not end
 * at `head`), `not-found`.
 */
export interface AppendPlan {
  readonly userMessage: UserMessage | null
  /** Pictures of `userMessage`: new ones, or copies of another message's. */
  readonly images?: readonly MessageImage[] | { readonly copyOf: string }
  /** Rows that this append decides as skipped or marks as posted in `userMessage`. */
  readonly calls: readonly PlannedCall[]
  /** The reply whose calls are closed, as the plan saw it; null if there is none. */
  readonly seen: { readonly messageId: string; readonly amendments: readonly CallAmendment[] } | null
  /**
   * The reply is written beside others to the same message, and the chat keeps its head. Refused with `run-in-progress`
   * if another reply is running, or if all sides are in use.
   */
  readonly beside?: true
  /** The required head of the chat; omitted: any, because a branch was requested. */
  readonly head?: string | null
  readonly reply: AssistantMessage
  /** Becomes the conversation's title while that is empty. */
  readonly title: string
  /**
   * What the reply uses of shared limits. Refused with AppError `rate-limited` (too many running or queued replies),
   * `over-budget` or `storage-full`; then nothing was written.
   */
  readonly claim?: RunClaim
  /** The tab that writes the reply; omitted: a process of the server. */
  readonly writer?: RunWriterRow
}

export interface AppendAnswer {
  /** True: this request was already answered; nothing was written now. */
  readonly replayed: boolean
  readonly userMessage: UserMessage | null
  readonly reply: AssistantMessage
  readonly calls: readonly CallRecord[]
  /** The current state. */
  readonly conversation: Conversation
  /** The reply waits for a slot: its run is stored, and the model is called once `startClaim` allows it. */
  readonly queued?: boolean
}

export type ImageKey = Pick<MessageImage, 'messageId' | 'number'>

/** The result of a deletion or its undo. */
export interface ChangedMessages {
  /** The rewritten messages. */
  readonly ids: readonly string[]
  /** The head of the chat now. */
  readonly headId: string | null
}

/** Conversations with their messages, pictures and log. A method with an owner treats rows of others as nonexistent. */
export interface ConversationStore {
  /**
   * Newest first, after `after`. `query` searches titles, ignoring case, including archived chats. In the full list,
   * pinned chats come first and do not count towards `limit`.
   */
  listConversations(
    owner: string,
    query: string,
    limit: number,
    after?: ListPosition,
    filter?: ListFilter,
  ): Promise<readonly ConversationSummary[]>
  /** The list entry of one chat. */
  summariseConversation(owner: string, id: string): Promise<ConversationSummary | null>
  /**
   * A repeated id returns the stored row. Ids belong to one owner: another owner may use the same one. Refused
   * (`storage-full`) if the owner already stores `maxBytes`; null or omitted: no limit. `isFollowed`: an append is
   * stored before the response, and its wait for the disk covers both. `temporaryUntil`: the chat is in no list, and
   * `purgeTemporary` deletes it then.
   */
  createConversation(
    owner: string,
    conversation: Conversation,
    maxBytes?: number | null,
    options?: { readonly isFollowed?: boolean; readonly temporaryUntil?: number | null },
  ): Promise<Conversation>
  /**
   * Stores all rows of an imported conversation in one transaction, with a first entry in its log. A repeated id
   * returns the stored conversation, like `createConversation`.
   */
  importConversation(
    owner: string,
    imported: ImportedConversation,
    now: number,
    /** The owner is refused (`storage-full`) if they already store this much; null or omitted: no limit. */
    maxBytes?: number | null,
  ): Promise<Conversation>
  loadConversation(owner: string, id: string): Promise<StoredConversation | null>
  /** The outline, and one page from the end of the shown branch, in one transaction. */
  loadView(owner: string, id: string, size: PageSize): Promise<StoredConversation | null>
  /** The existing ones of these messages, in this order; one page of them. */
  loadMessages(owner: string, id: string, ids: readonly string[], size: PageSize): Promise<MessagesPage | null>
  /**
   * A branch of a conversation as in `loadConversation`, without the rest; the cost depends only on the result. An
   * unknown head gives no messages; null: no such conversation.
   */
  loadBranch(owner: string, id: string, part: BranchPart): Promise<StoredBranch | null>
  /**
   * Refused (`storage-full`) if the owner already stores `maxBytes` and the change adds to it; null or omitted: no
   * limit.
   */
  updateConversation(
    owner: string,
    id: string,
    patch: {
      readonly title?: string
      readonly settings?: ConversationSettings
      readonly headId?: string | null
      /** Null: removes them. */
      readonly marks?: ContextMarks | null
      /** Omitted if the change should not move the conversation up in the list. */
      readonly updatedAt?: number
      /** For a temporary chat: how long it is kept; null: it becomes an ordinary one. No effect on other chats. */
      readonly temporaryUntil?: number | null
    },
    now: number,
    maxBytes?: number | null,
  ): Promise<Conversation | null>
  deleteConversation(owner: string, id: string): Promise<boolean>
  /**
   * Removes the content of messages in one transaction: of a reply with its calls, their amendments and results, of a
   * user's message with its pictures. Does nothing if it is already deleted. Refuses with AppError `not-found`, and
   * `run-in-progress` for a running reply. If no message follows a deleted one but it has other versions, the chat
   * shows one of those.
   */
  deleteMessages(owner: string, id: string, messageIds: readonly string[], now: number): Promise<ChangedMessages>
  /** Undoes a deletion. Refuses with AppError `not-found` once the content is gone. */
  restoreMessages(owner: string, id: string, messageIds: readonly string[], now: number): Promise<ChangedMessages>
  /**
   * Permanently removes the content of messages that were deleted before a time, for at most `atMost` of them; of all
   * owners. Returns how many.
   */
  purgeDeletedMessages(before: number, atMost: number): Promise<number>
  /** The response to an earlier request with this id; null: none. */
  findAppend(owner: string, conversationId: string, requestId: string): Promise<AppendAnswer | null>
  /** A repeated `requestId` returns `replayed: true` and the first response. */
  append(owner: string, conversationId: string, requestId: string, plan: AppendPlan, now: number): Promise<AppendAnswer>
  /** Oldest first, all or at most `limit` after the entry `after`; null for no such conversation. */
  loadLog(
    owner: string,
    conversationId: string,
    page?: { readonly after: number; readonly limit: number },
  ): Promise<readonly LogEntry[] | null>
  /** The existing ones of the named pictures, unordered; `'all'`: of the whole conversation, by message and number. */
  loadImages(
    owner: string,
    conversationId: string,
    wanted: readonly ImageKey[] | 'all',
  ): Promise<readonly MessageImage[]>
}
