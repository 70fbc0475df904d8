import type { Kysely } from 'kysely'
import type { QuotaStore, TrialClaimStore } from './quotas'
import type { ProjectStore } from './projects'
import type { ToolServerStore } from './tool-servers'
import type { AccountRows } from '@/lib/shared/server-facts/account-rows'
import type { Schema } from './schema'
import type { ConversationStore } from './conversation-store'
import type { CallStore } from './call-store'
import type { RunStore } from './run-store'
import type { ChatsChange, TagCount, FoundPage } from '@/lib/shared/conversation/search/list-filter'
import type { ReadableChat, ShownParts, SharedLink } from '@/lib/shared/conversation/readable/readable-chat'
import type { Preset, PresetChange, PresetToAdd, ChatSetup } from '@/lib/shared/conversation/settings/preset'

/** `deleted_at` of a chat whose owner deleted everything: it cannot be taken back, whatever a clock says. */
export const ERASED = 0

/** Where chats stand in their owner's list. */
export interface ChatListStore {
  /**
   * Changes many chats, in one transaction, and gives those of them that are there. Refuses with AppError `bad-request` where more would
   * be pinned, or more tags be used, than can be.
   */
  sortConversations(owner: string, ids: readonly string[], change: ChatsChange, now: number): Promise<readonly string[]>
  /** The tags that an owner uses, by name. */
  listTags(owner: string): Promise<readonly TagCount[]>
  /** Lets go of chats that were deleted before, at most so many; of all owners. Gives how many went. */
  purgeDeleted(before: number, atMost: number): Promise<number>
  /** Deletes temporary chats whose time is over, at most so many; of all owners. Gives how many went. */
  purgeTemporary(now: number, atMost: number): Promise<number>
}

/**
 * Short words between the processes that share a store. Some may be lost, and come twice: they only say where to look
 * before one would have looked anyway.
 */
export interface StoreSignals {
  /** Never rejects: a signal that can't be sent is lost. */
  send(text: string): void
  /** Calls `onSignal` with what any process sends, this one too. */
  listen(onSignal: (text: string) => void): void
  /** Signals of others arrive now, as far as can be known. */
  isListening(): boolean
  /** Calls `onBreak` when what they come on broke: others may have lost the store with it. */
  watchBreaks(onBreak: () => void): void
}

/** Which of the processes that share a store are there, however long they say nothing. */
export interface StoreProcesses {
  /** This one, as runs name who writes them. */
  readonly own: number
  /** Whether a process holds its connection to the store. */
  lives(process: number): Promise<boolean>
}

/**
 * Everything the server stores, by subject; services take the part they use. Times are epoch milliseconds. One contract suite
 * (`store.contract.ts`) runs on SQLite and PostgreSQL.
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
    ChatListStore,
    PresetStore,
    ProjectStore,
    ToolServerStore {
  readonly kind: 'sqlite' | 'postgres'
  /** Left out where a store has none: then others are heard of by asking. */
  readonly signals?: StoreSignals
  /** Left out where a store cannot tell. */
  readonly processes?: StoreProcesses
  readonly accounts: AccountRows
  /** For better-auth alone, which writes its own tables: another handle of SQLite would break into open transactions. */
  readonly database: { readonly db: Kysely<Schema>; readonly type: 'sqlite' | 'postgres' }
  /** Rejects with what the database says while it is away, or has no room for another row. */
  ping(): Promise<void>
  /** The one clock that all its nodes share, epoch milliseconds: what counts by minutes, hours or days follows it. */
  time(): Promise<number>
  close(): Promise<void>
}

/** How much someone keeps here. */
interface OwnerData {
  readonly chats: number
  readonly messages: number
  /** Of all that they wrote or let in (`testing/kept-columns.ts`). */
  readonly bytes: number
  readonly presets: number
}

export interface Visit {
  readonly owner: string
  readonly hasAccount: boolean
}

/** What goes: all of someone, and what nobody comes back to. Every step is small, and doing it twice does no harm. */
export interface OwnerDataStore {
  ownerData(owner: string): Promise<OwnerData>
  /** Owners of browsers that signed in to this one's account: chats of theirs may still be on their way. */
  comingTo(owner: string): Promise<readonly string[]>
  /** Replies that are being written, or wait. */
  runningOf(owner: string): Promise<readonly { readonly owner: string; readonly runId: string }[]>
  /**
   * Hides all of an owner for good in one short transaction: nobody can read it or take it back. What they used becomes numbers of
   * nobody. `purgeErased` deletes the rows. Gives how many chats it hid.
   */
  eraseOwner(owner: string): Promise<number>
  /** Deletes erased chats, at most so many, whosever they were; gives how many went. */
  purgeErased(atMost: number): Promise<number>
  /** Notes who was here, in one statement; `hasAccount` once is for ever. */
  noteVisits(visits: readonly Visit[], now: number): Promise<void>
  /** Deletes chats that nobody touched since, at most so many; gives how many went. */
  deleteUntouched(before: number, atMost: number): Promise<number>
  /** Deletes chats of visitors without an account who were not here since, and the visitors; gives how many of both went. */
  deleteOrphans(before: number, atMost: number): Promise<number>
  /** The last time that was trusted here (epoch milliseconds), or that of the newest row while nobody noted one; null: there is nothing. */
  trustedTime(): Promise<number | null>
  /** Notes a time that is trusted. */
  noteTrustedTime(at: number): Promise<void>
  /** Forgets which requests long-ended replies answered; gives of how many. */
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

/** A chat as a link shows it. Whose it is is not said. */
export interface SharedChat {
  readonly chat: ReadableChat
  readonly createdAt: number
  readonly expiresAt: number
}

/** Links to read chats by. */
export interface ShareStore {
  /**
   * Keeps what a link shows. Refuses with AppError `not-found` (no such chat), `storage-full`, and `conflict` where the owner has
   * as many as can be.
   */
  addShare(owner: string, share: NewShare, maxBytes: number | null): Promise<SharedLink>
  /** Those that stand at `now`, the newest first; of one chat where that is named. */
  listShares(owner: string, now: number, conversationId?: string): Promise<readonly SharedLink[]>
  /** Ends a link: nothing is left of what it showed. False: there is none. */
  removeShare(owner: string, id: string): Promise<boolean>
  /** What the link of that secret shows; null where there is none, it has expired, its chat was deleted, or its owner's account is disabled. Of any owner. */
  readShare(tokenHash: string, now: number): Promise<SharedChat | null>
  /** Lets go of links that expired before, at most so many; of all owners. */
  sweepShares(before: number, atMost: number): Promise<number>
}

/** What an owner keeps for chats to come. */
export interface PresetStore {
  /** In their order. */
  listPresets(owner: string): Promise<readonly Preset[]>
  /** The same id again changes nothing and gives what stands. Rejects with AppError `bad-request` where there would be too many, or too much. */
  addPreset(owner: string, preset: PresetToAdd): Promise<Preset>
  /** Null: there is none of this id. Rejects as `addPreset`. */
  changePreset(owner: string, id: string, change: PresetChange): Promise<Preset | null>
  removePreset(owner: string, id: string): Promise<void>
  /** Those that are named come first, in this order; the others stay behind them in theirs. */
  orderPresets(owner: string, ids: readonly string[]): Promise<readonly Preset[]>
  /** What new chats begin with; null: nothing was chosen, or it can't be read. */
  loadDefaults(owner: string): Promise<ChatSetup | null>
  /** Null: nothing is chosen any more. */
  saveDefaults(owner: string, setup: ChatSetup | null): Promise<void>
}

/** Finding messages by their words. */
export interface SearchStore {
  /**
   * Messages of an owner that hold all words of a query, newest first; `after` is what the page before gave as `next`. Words are
   * found from their beginning on, whatever their case and accents, Chinese by any two characters that follow each other.
   * `project`: in its chats alone.
   */
  searchMessages(owner: string, query: string, limit: number, after?: string, project?: string): Promise<FoundPage>
  /**
   * Reads the words of messages that were written since, of at most so many, into the index; of all owners. Gives how many: 0 when all
   * are read. What is killed on the way is read again; any number of processes may do it at once.
   */
  indexWords(atMost: number): Promise<number>
}

/*
 * Quotas and claims are counted for persons and for what is no person. Owners are ids of ours (`crypto.randomUUID`, or what
 * signs in), which hold no colon: nobody can be one of these.
 */

/** One pot for all. */
export const everybody = 'all:everybody'

/** Whose use is counted on when they are gone. */
export const deletedOwners = 'all:deleted'

/** Held by whoever changes accounts as an administrator. */
export const actsOfAdmins = 'all:admins'

/** `key`: the keyed hash of an address, never the address. */
export const addressSubject = (key: string): string => `address:${key}`
