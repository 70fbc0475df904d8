import type {
  Memory,
  MemoryChange,
  Project,
  ProjectChange,
  ProjectToAdd,
  PromptContext,
} from '@/lib/shared/conversation/settings/project'
import type { ToolSetRef, McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { Kysely } from 'kysely'
import type { QuotaStore, TrialClaimStore } from './quotas'
import type { AccountRows } from '@/lib/shared/server-facts/account-rows'
import type { Schema } from './schema'
import type { ConversationStore } from './conversation-store'
import type { CallStore, ReviewKey } from './call-store'
import type { RunStore } from './run-store'
import type { ChatsChange, TagCount, FoundPage } from '@/lib/shared/conversation/search/list-filter'
import type { ReadableChat, ShownParts, SharedLink } from '@/lib/shared/conversation/readable/readable-chat'
import type { Preset, PresetChange, PresetToAdd, ChatSetup } from '@/lib/shared/conversation/settings/preset'

/** `maxBytes`: the owner's storage limit; null: unlimited. Writes beyond it are refused (`storage-full`). */
interface Writing {
  readonly now: number
  readonly maxBytes: number | null
}

/** Projects and memories of an owner. A column of the chats (`ChatListStore`) says which project they are in. */
export interface ProjectStore {
  /** Sorted by name. */
  listProjects(owner: string): Promise<readonly Project[]>
  /** A repeated id returns the stored project. Refuses with AppError `bad-request` if the maximum is reached. */
  addProject(owner: string, project: ProjectToAdd, writing: Writing): Promise<Project>
  /** Null: there is no such project. */
  changeProject(owner: string, id: string, change: ProjectChange, writing: Writing): Promise<Project | null>
  /**
   * Deletes it with its memory. Its chats stay, outside of any project, and return to a project that is added with its
   * id.
   */
  removeProject(owner: string, id: string): Promise<void>
  /** `project` null: the owner's own memory. Returns null for a missing project. */
  loadMemory(owner: string, project: string | null): Promise<Memory | null>
  /**
   * The previous text is kept (`earlier`). Refuses with AppError `conflict` if the memory changed after `version`.
   * Null: no such project.
   */
  changeMemory(owner: string, project: string | null, change: MemoryChange, writing: Writing): Promise<Memory | null>
  /** The parts of a chat's system prompt outside of its settings; null: none. Always null for a temporary chat. */
  promptContext(owner: string, conversationId: string): Promise<PromptContext | null>
}

/** A set of approved tools for storing. */
export interface ToolSetToSave {
  readonly hash: string
  /** Canonical JSON of the tools; `hash` is computed from it. */
  readonly text: string
}

/** An owner's tool servers (MCP), and the tool sets that chats use of them. */
export interface ToolServerStore {
  /** In the order in which they were added. */
  listToolServers(owner: string): Promise<readonly ToolServer[]>
  /**
   * Adds or replaces a server. `set`: its approved tools; null: unchanged. Rejects with AppError `conflict` if there
   * would be too many or another server has the prefix, and if the owner's storage is full.
   */
  saveToolServer(
    owner: string,
    id: string,
    server: Omit<ToolServerToSave, 'tools'>,
    set: ToolSetToSave | null,
    space: { readonly maxBytes: number | null; readonly now: number },
  ): Promise<ToolServer>
  /** Chats keep its sets, to read old calls. Removing a missing server is not an error. */
  removeToolServer(owner: string, id: string): Promise<void>
  /** Null: there is none. */
  loadToolSet(owner: string, hash: string): Promise<readonly McpTool[] | null>
  /**
   * Updates a chat to the currently approved tools of these servers, if they are enabled. Grants and rules of changed
   * tools end. Returns all tools and sets of the chat.
   */
  useToolServers(
    owner: string,
    conversationId: string,
    servers: readonly string[],
    now: number,
  ): Promise<{ readonly tools: readonly RegisteredTool[]; readonly toolSets: readonly ToolSetRef[] }>
}

/** `deleted_at` of a chat whose owner deleted everything: it can't be restored, whatever a clock says. */
export const ERASED = 0

/** The position of chats in their owner's list. */
export interface ChatListStore {
  /**
   * Changes many chats in one transaction, and returns those that exist. Refuses with AppError `bad-request` if there
   * would be more pinned chats or tags than allowed.
   */
  sortConversations(owner: string, ids: readonly string[], change: ChatsChange, now: number): Promise<readonly string[]>
  /** The tags of an owner, by name. */
  listTags(owner: string): Promise<readonly TagCount[]>
  /** Purges chats that were deleted before a time, at most `atMost`; of all owners. Returns how many. */
  purgeDeleted(before: number, atMost: number): Promise<number>
  /** Deletes temporary chats whose time is over, at most `atMost`; of all owners. Returns how many. */
  purgeTemporary(now: number, atMost: number): Promise<number>
}

/**
 * Short messages between the processes that share a store. Some may be lost or repeated: they only make a process check
 * earlier than it would have.
 */
export interface StoreSignals {
  /** Never rejects: a signal that can't be sent is lost. */
  send(text: string): void
  /** Calls `onSignal` with the signals of all processes, including this one. */
  listen(onSignal: (text: string) => void): void
  /** Whether signals of other processes arrive now, as far as can be known. */
  isListening(): boolean
  /** Calls `onBreak` when the connection for signals broke: other processes may have lost the store too. */
  watchBreaks(onBreak: () => void): void
}

/** Which of the processes that share a store are alive, even if they have been silent for long. */
export interface StoreProcesses {
  /** This process, as recorded in its runs. */
  readonly own: number
  /** Whether a process holds its connection to the store. */
  lives(process: number): Promise<boolean>
}

/**
 * Everything the server stores, by subject; services use the parts that they need. Times are epoch milliseconds. One
 * contract suite (`store.contract.ts`) runs on SQLite and PostgreSQL.
 */
export interface Store
  extends
    ConversationStore,
    CallStore,
    RunStore,
    QuotaStore,
    TrialClaimStore,
    OwnerDataStore,
    SearchStore,
    ShareStore,
    ReviewStore,
    ChatListStore,
    PresetStore,
    ProjectStore,
    ToolServerStore {
  readonly kind: 'sqlite' | 'postgres'
  /** Omitted if the store has none: then other processes are followed by polling. */
  readonly signals?: StoreSignals
  /** Omitted if the store can't tell. */
  readonly processes?: StoreProcesses
  readonly accounts: AccountRows
  /**
   * Only for better-auth, which writes its own tables: a second SQLite handle would interfere with open transactions.
   */
  readonly database: { readonly db: Kysely<Schema>; readonly type: 'sqlite' | 'postgres' }
  /** Rejects with the database error if it is unavailable or has no space for another row. */
  ping(): Promise<void>
  /**
   * The clock that all nodes share, in epoch milliseconds: for everything that is measured in minutes, hours or days.
   */
  time(): Promise<number>
  close(): Promise<void>
}

/** How much an owner stores here. */
interface OwnerData {
  readonly chats: number
  readonly messages: number
  /** The bytes of everything that they wrote or imported (`testing/stored-columns.ts`). */
  readonly bytes: number
  readonly presets: number
}

export interface Visit {
  readonly owner: string
  readonly hasAccount: boolean
}

/** Deletion of all data of an owner, and of abandoned data. Every step is small and can be repeated safely. */
export interface OwnerDataStore {
  ownerData(owner: string): Promise<OwnerData>
  /** Owners of browsers that signed in to this owner's account: some of their chats may still have to move. */
  comingTo(owner: string): Promise<readonly string[]>
  /** Running and queued replies. */
  runningOf(owner: string): Promise<readonly { readonly owner: string; readonly runId: string }[]>
  /**
   * Hides all data of an owner for good in one short transaction: nobody can read or restore it. Their usage becomes
   * anonymous. `purgeErased` deletes the rows. Returns how many chats were hidden.
   */
  eraseOwner(owner: string): Promise<number>
  /** Deletes erased chats, at most `atMost`, of all owners; returns how many. */
  purgeErased(atMost: number): Promise<number>
  /** Records visits in one statement; `hasAccount` stays true once set. */
  recordVisits(visits: readonly Visit[], now: number): Promise<void>
  /** Deletes chats that were not used since a time, at most `atMost`; returns how many. */
  deleteUntouched(before: number, atMost: number): Promise<number>
  /** Deletes visitors without an account who did not return since a time, and their chats; returns how many of both. */
  deleteOrphans(before: number, atMost: number): Promise<number>
  /**
   * The last trusted time (epoch milliseconds), or that of the newest row if none was recorded; null: there are no
   * rows.
   */
  trustedTime(): Promise<number | null>
  /** Records a trusted time. */
  recordTrustedTime(at: number): Promise<void>
  /** Deletes the request ids of runs that ended long ago; returns of how many. */
  forgetRuns(endedBefore: number, atMost: number): Promise<number>
}

export interface NewShare {
  readonly id: string
  readonly conversationId: string
  readonly tokenHash: string
  readonly chat: ReadableChat
  readonly shown: ShownParts
  readonly createdAt: number
  readonly expiresAt: number
}

/** A chat as shown by a link, without its owner. */
export interface SharedChat {
  readonly chat: ReadableChat
  readonly createdAt: number
  readonly expiresAt: number
}

/** Links to shared chats. */
export interface ShareStore {
  /**
   * Stores the content of a link. Refuses with AppError `not-found` (no such chat), `storage-full`, and `conflict` if
   * the owner has the maximum number.
   */
  addShare(owner: string, share: NewShare, maxBytes: number | null): Promise<SharedLink>
  /** The links that are valid at `now`, newest first, optionally of one chat. */
  listShares(owner: string, now: number, conversationId?: string): Promise<readonly SharedLink[]>
  /** Ends a link and deletes its content. False: there is none. */
  removeShare(owner: string, id: string): Promise<boolean>
  /**
   * The content of the link with that secret; null if there is none, it has expired, its chat was deleted, or its
   * owner's account is disabled. Of any owner.
   */
  readShare(tokenHash: string, now: number): Promise<SharedChat | null>
  /** Deletes links that expired before a time, at most `atMost`; of all owners. */
  sweepShares(before: number, atMost: number): Promise<number>
}

export interface ReviewLink {
  readonly owner: string
  readonly conversationId: string
  /** The owner's own link to the same. */
  readonly token: string
}

/** Links by which one other account decides on a call or a copy. */
export interface ReviewStore {
  /** Replaces an earlier link to the same target. Refuses with AppError `not-found` (no such chat). */
  addReview(
    owner: string,
    review: Omit<ReviewLink, 'owner'> & ReviewKey & { readonly target: string; readonly expiresAt: number },
  ): Promise<void>
  /** Ends a link at once: an answer that arrives later is refused. False: there is none. */
  removeReview(owner: string, tokenHash: string): Promise<boolean>
  /**
   * Null: there is no such link, it has expired, it is for another account, or the account of its owner or its reviewer
   * is disabled or deleted. Of any owner.
   */
  readReview(key: ReviewKey, now: number): Promise<ReviewLink | null>
}

/** An owner's presets and defaults for new chats. */
export interface PresetStore {
  /** In their order. */
  listPresets(owner: string): Promise<readonly Preset[]>
  /**
   * A repeated id changes nothing and returns the stored preset. Rejects with AppError `bad-request` if there would be
   * too many, or too much.
   */
  addPreset(owner: string, preset: PresetToAdd): Promise<Preset>
  /** Null: there is none with this id. Rejects like `addPreset`. */
  changePreset(owner: string, id: string, change: PresetChange): Promise<Preset | null>
  removePreset(owner: string, id: string): Promise<void>
  /** The named presets come first, in this order; the others follow in their previous order. */
  orderPresets(owner: string, ids: readonly string[]): Promise<readonly Preset[]>
  /** The defaults for new chats; null: none were chosen, or they can't be read. */
  loadDefaults(owner: string): Promise<ChatSetup | null>
  /** Null: removes the defaults. */
  saveDefaults(owner: string, setup: ChatSetup | null): Promise<void>
}

/** Searches messages by their words. */
export interface SearchStore {
  /**
   * Messages of an owner that contain all words of a query, newest first; `after` is the `next` of the previous page.
   * Words match by their beginning, ignoring case and accents; Chinese matches by any two adjacent characters.
   * `project`: only in its chats.
   */
  searchMessages(owner: string, query: string, limit: number, after?: string, project?: string): Promise<FoundPage>
  /**
   * Adds new messages, at most `atMost`, to the index; of all owners. Returns how many; 0 once all are indexed.
   * Interrupted work is repeated, and several processes may run this at once.
   */
  indexWords(atMost: number): Promise<number>
}

/*
 * Quotas and claims are counted for owners and for other subjects. Owner ids are our own (`crypto.randomUUID`, or an
 * account's) and contain no colon, so no owner can have one of these ids.
 */

/** The shared budget of all owners. */
export const everybody = 'all:everybody'

/** The usage of deleted owners. */
export const deletedOwners = 'all:deleted'

/** Locked by actions of administrators. */
export const actsOfAdmins = 'all:admins'

/** `key`: the keyed hash of an address, never the address itself. */
export const addressSubject = (key: string): string => `address:${key}`
