import type { Kysely } from 'kysely'
import type { QuotaStore, TrialClaimStore } from './quotas'
import type { OwnerDataStore } from './owner-data'
import type { SearchStore } from './search'
import type { ShareStore } from './shares'
import type { ToolServerStore } from './tool-servers'
import type { PresetStore } from './presets'
import type { ChatListStore } from './chat-lists'
import type { AccountRows } from '@/lib/shared/server-facts/account-rows'
import type { Schema } from './schema'
import type { ConversationStore } from './conversation-store'
import type { CallStore } from './call-store'
import type { RunStore } from './run-store'

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
