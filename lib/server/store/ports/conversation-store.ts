import type { ConversationView, MessagesPage } from '@/lib/shared/conversation/wire/api-types'
import type {
  AssistantMessage,
  CallAmendment,
  CallRecord,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  LogEntry,
  Message,
  MessageImage,
  UserMessage,
} from '@/lib/shared/conversation/conversation'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import type { ImportedConversation } from '@/lib/shared/conversation/wire/import-settings'
import type { ListFilter, ListPosition } from '@/lib/shared/conversation/search/list-filter'
import type { PromptContext } from '@/lib/shared/conversation/settings/project'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { RunClaim } from './quotas'
import type { RunWriterRow } from './run-store'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import type { OutlineRow } from '@/lib/shared/conversation/outline'

/** How much of a chat is given at once, whichever is reached first. */
interface PageSize {
  readonly count: number
  /** Of the rows of its messages and of their calls. */
  readonly bytes: number
}

/** So many are given, however large they are. */
const FEWEST = 8

/** As many of these ids, from the first on, as make a page. `sizeOf`: bytes of a message with its calls. */
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

/** The messages at the end of the branch that ends with `headId`, root first, as many as make a page. */
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

/** All rows of a conversation, which are also what a page is shown. */
export interface StoredConversation extends ConversationView {
  /** Those of its tool sets among them. */
  readonly tools: readonly RegisteredTool[]
  /** What its system prompt has beside its settings; left out: nothing. */
  readonly context?: PromptContext
}

/** Which part of a conversation: a line of messages, from the beginning of the chat to one of them, or the end of it. */
export interface BranchPart {
  /** The line ends with this message; null: before the first one; left out: where the chat ends. */
  readonly head?: string | null
  /** Instead: the line ends with what this message answers. */
  readonly before?: string
  /** At most the newest so many messages. */
  readonly limit?: number
  /** No further message once the newer ones are about so many characters long, as JSON. */
  readonly chars?: number
  /** Of which messages the calls are given; left out: of all. */
  readonly callsOf?: 'head'
  /** With what answers the end of the line. */
  readonly answers?: boolean
}

/** `messages` in the order of the line; `calls` and `amendments` are theirs. */
export interface StoredBranch extends StoredConversation {
  /** Messages of the line that stand before the first one of these. */
  readonly older: number
  /** Results in the whole line that said `unfinished`, and those that said later how such a call ended. */
  readonly openEnds: number
  /** What answers the end of the line, in order of arrival; [] where nobody asked. */
  readonly answers: readonly Message[]
}

/** How a call's row must look before (null: no row yet) and how it looks after; anything else refuses the append. */
export interface PlannedCall {
  readonly before: CallRecord | null
  readonly after: CallRecord
}

/**
 * What a client's append becomes, in ONE transaction: the user message (if any), the calls it closes, the empty reply,
 * its run with the `start` event, the new head. Refuses with AppError: `run-in-progress`, `call-not-open` (a row of
 * `calls` or an amendment of `seen` changed meanwhile), `conflict` (a message id is taken; with `headId`: the chat does not
 * end at `head`), `not-found`.
 */
export interface AppendPlan {
  readonly userMessage: UserMessage | null
  /** Pictures of `userMessage`: new ones, or copies of those of another message. */
  readonly images?: readonly MessageImage[] | { readonly copyOf: string }
  /** Rows that this append decides as skipped or marks as posted in `userMessage`. */
  readonly calls: readonly PlannedCall[]
  /** The reply whose calls are closed, as the plan saw it; null where none is. */
  readonly seen: { readonly messageId: string; readonly amendments: readonly CallAmendment[] } | null
  /** Where the chat must end for this to be added; left out: anywhere, a branch was asked for. */
  readonly head?: string | null
  readonly reply: AssistantMessage
  /** Becomes the conversation's title as long as that is empty. */
  readonly title: string
  /**
   * What the reply takes of what is shared; refused with AppError `rate-limited` (as many replies are under way, or wait, as
   * may), `over-budget` or `storage-full`, and then nothing was written.
   */
  readonly claim?: RunClaim
  /** The tab that writes the reply; left out: a process of the server does. */
  readonly writer?: RunWriterRow
}

export interface AppendAnswer {
  /** True: this request was answered before; nothing was written now. */
  readonly replayed: boolean
  readonly userMessage: UserMessage | null
  readonly reply: AssistantMessage
  readonly calls: readonly CallRecord[]
  /** As it stands now. */
  readonly conversation: Conversation
  /** The reply waits for a place: its run stands, and the model is to be asked when `startClaim` says so. */
  readonly queued?: boolean
}

export type ImageKey = Pick<MessageImage, 'messageId' | 'number'>

/** What a deletion, or its undo, changed. */
export interface ChangedMessages {
  /** The messages that are rewritten. */
  readonly ids: readonly string[]
  /** Where the chat ends now. */
  readonly headId: string | null
}

/** Conversations with their messages, pictures and log. Each method that names an owner answers as if rows of others did not exist. */
export interface ConversationStore {
  /**
   * Newest first, those behind `after`; `query` is looked for in titles, whatever its case, and finds what is put away too. Where
   * all is asked for, what is pinned comes first and beside the `limit`.
   */
  listConversations(
    owner: string,
    query: string,
    limit: number,
    after?: ListPosition,
    shelf?: ListFilter,
  ): Promise<readonly ConversationSummary[]>
  /** The line of one of them. */
  summariseConversation(owner: string, id: string): Promise<ConversationSummary | null>
  /**
   * The same id again gives the stored row. Ids are an owner's own: someone else's conversation may have the same. An owner who
   * keeps `maxBytes` already is refused (`storage-full`); null or left out: nobody. `isFollowed`: before anybody is answered an append
   * is stored, whose wait for the disk is enough for both. `temporaryUntil`: it is in no list, and `purgeTemporary` deletes it then.
   */
  createConversation(
    owner: string,
    conversation: Conversation,
    maxBytes?: number | null,
    options?: { readonly isFollowed?: boolean; readonly temporaryUntil?: number | null },
  ): Promise<Conversation>
  /**
   * All rows of a conversation that came from elsewhere, in one transaction, with a first entry in its log. The same id
   * again gives the stored conversation, as `createConversation` does.
   */
  importConversation(
    owner: string,
    imported: ImportedConversation,
    now: number,
    /** Of the owner, who is refused (`storage-full`) with as much already; null or left out: any. */
    maxBytes?: number | null,
  ): Promise<Conversation>
  loadConversation(owner: string, id: string): Promise<StoredConversation | null>
  /** Its outline with the end of the branch that is shown, as much as makes a page, in one transaction. */
  loadView(owner: string, id: string, size: PageSize): Promise<StoredConversation | null>
  /** Those that are there of these messages, in this order; of many as much as makes a page. */
  loadMessages(owner: string, id: string, ids: readonly string[], size: PageSize): Promise<MessagesPage | null>
  /**
   * A line of a conversation as `loadConversation` has it, without the rest: costs what it gives. An unknown head gives no
   * messages; null: no such conversation.
   */
  loadBranch(owner: string, id: string, part: BranchPart): Promise<StoredBranch | null>
  /** An owner who keeps `maxBytes` already is refused what makes it more (`storage-full`); null or left out: nothing. */
  updateConversation(
    owner: string,
    id: string,
    patch: {
      readonly title?: string
      readonly settings?: ConversationSettings
      readonly headId?: string | null
      /** Null: none any more. */
      readonly marks?: ContextMarks | null
      /** Left out when the change should not move the conversation up in the list. */
      readonly updatedAt?: number
      /** Of a temporary chat: how long it is kept; null: it becomes an ordinary one. Changes nothing of others. */
      readonly temporaryUntil?: number | null
    },
    now: number,
    maxBytes?: number | null,
  ): Promise<Conversation | null>
  deleteConversation(owner: string, id: string): Promise<boolean>
  /**
   * Takes the content of messages away, in one transaction: of a reply with its calls, their amendments and results, of a
   * user's message with its pictures. Deleted already: nothing happens. Refuses with AppError `not-found`, and `run-in-progress`
   * for a reply that is being written. Where nothing follows a message but other versions are there, the chat shows one of those.
   */
  deleteMessages(owner: string, id: string, messageIds: readonly string[], now: number): Promise<ChangedMessages>
  /** Undoes that. Refuses with AppError `not-found` once the content is gone. */
  restoreMessages(owner: string, id: string, messageIds: readonly string[], now: number): Promise<ChangedMessages>
  /** Deletes for good what messages held that were deleted before a moment, at most of so many; of all owners. Gives of how many. */
  purgeDeletedMessages(before: number, atMost: number): Promise<number>
  /** The answer that a request got before, if it was made before. */
  findAppend(owner: string, conversationId: string, requestId: string): Promise<AppendAnswer | null>
  /** The same `requestId` again gives `replayed: true` and the first answer. */
  append(owner: string, conversationId: string, requestId: string, plan: AppendPlan, now: number): Promise<AppendAnswer>
  /** Oldest first, all or at most `limit` above the entry `after`; null for no such conversation. */
  loadLog(
    owner: string,
    conversationId: string,
    page?: { readonly after: number; readonly limit: number },
  ): Promise<readonly LogEntry[] | null>
  /** Those of the named pictures that are there, in no order; `'all'`: of the whole conversation, by message and number. */
  loadImages(
    owner: string,
    conversationId: string,
    wanted: readonly ImageKey[] | 'all',
  ): Promise<readonly MessageImage[]>
}
