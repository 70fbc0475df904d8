import type { Kysely } from 'kysely'
import type { ConversationView, MessagesPage } from '@/lib/conversation/api-types'
import type {
  AssistantMessage,
  CallAmendment,
  CallOutcome,
  CallRecord,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  ExactOfReply,
  Grant,
  LogEntry,
  Message,
  MessageImage,
  ReplyOutcome,
  ReplyPace,
  ResultRelease,
  Usage,
  UserMessage,
} from '@/lib/conversation/conversation'
import type { ContextMarks } from '@/lib/conversation/context-marks'
import type { ImportedConversation } from '@/lib/conversation/imported-conversation'
import type { ListPlace } from '@/lib/conversation/list-page'
import type { Shelf } from '@/lib/conversation/shelf'
import type { RegisteredTool } from '@/lib/conversation/registered-tool'
import type { RunEvent } from '@/lib/conversation/run-event'
import type { TabPiece, TabRunState } from '@/lib/conversation/tab-run'
import type { FairUseStore, RunClaim, TrialClaimStore } from './fair-use'
import type { RunWriterRow } from './tab-runs'
import type { OwnerDataStore } from './owner-data'
import type { SearchStore } from './search'
import type { ShareStore } from './shares'
import type { PresetStore } from './presets'
import type { ShelfStore } from './shelves'
import type { ModelFailure } from '@/lib/models/model'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import type { PageSize } from './end-of-branch'
import type { AccountRows } from './account-rows'
import type { Schema } from './schema'

/** All rows of a conversation, which are also what a page is shown. */
export interface StoredConversation extends ConversationView {
  readonly tools: readonly RegisteredTool[]
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

/** Names one run: whose it is, and which. */
export interface RunKey {
  readonly owner: string
  readonly runId: string
}

export interface RunRow {
  readonly owner: string
  readonly id: string
  readonly conversationId: string
  readonly messageId: string
  readonly status: 'running' | 'ended'
  readonly stopRequested: boolean
  /** How long ago its heart beat, by the database's clock; of a running run. */
  readonly silentMs: number
  /** A tab writes it, no process of the server. */
  readonly isByTab: boolean
  /** The process that writes it, for `StoreProcesses`; null: nobody can say whether it is there. */
  readonly process: number | null
}

/** A run that a tab writes. */
export interface TabRunRow extends RunRow {
  readonly writer: RunWriterRow
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

/** What its only writer has for a run. */
export interface EventsOfRun {
  readonly run: RunKey
  readonly events: readonly RunEvent[]
}

export interface StoredRunEnding {
  /** What its writer has that the log lacks: appended before the end, the same seq again is dropped. */
  readonly events?: readonly RunEvent[]
  readonly outcome: ReplyOutcome
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
  /** Left out: it was not asked for. */
  readonly exact?: ExactOfReply
  /** As in the message. */
  readonly thoughtMs?: readonly number[]
  /** As in the message. */
  readonly pace?: ReplyPace
  /** Ends the run only if its heart was silent for longer, by the database's clock: for whoever is not its producer. */
  readonly silentForMs?: number
  /** Ends the run only if its log ends here: for whoever read all of it before. */
  readonly lastSeq?: number
  /** How many calls of the final message can be decided; kept beside the message for the conversation list. */
  readonly runnableCalls: number
  /**
   * The reply as its writer has it, and the number of its last event: what a crash took of the log is no loss then. Left out:
   * the reply is what the log says.
   */
  readonly said?: { readonly text: string; readonly reasoning: string; readonly lastSeq: number }
}

export interface RunAppended {
  /** False: the run was ended by someone else or is gone; nothing was written. */
  readonly live: boolean
  readonly stopRequested: boolean
  /**
   * The last event that is stored now. Less than the one before the first of those given: a crash of the database took some
   * that it had acknowledged. Then nothing was written, and whoever has them appends them again.
   */
  readonly lastSeq: number
}

/** What becomes of a call by the user's hand, planned on what stood in its reply. */
export interface AmendPlan {
  /** null takes back what stands. */
  readonly amendment: Pick<CallAmendment, 'call'> | null
  /** All amendments of the reply when this was planned. */
  readonly seen: readonly CallAmendment[]
  /** How many calls of the reply can be decided, or were, with this. */
  readonly runnableCalls: number
}

/** What a decision was made on. */
export interface DecisionBasis {
  /** The call as the model asked it; null when that could not be read. */
  readonly asked: CallToWrite | null
  /** The amendment that the effective call was made with; a decision on another state of it is refused (`conflict`). */
  readonly amendment: CallAmendment | null
  /** Calls of one reply that may run. */
  readonly maxRuns: number
  /** Where a rule of the settings decided: whether it still holds by those of that moment (else `conflict`). */
  readonly holds?: (settings: ConversationSettings) => boolean
  /** The call was not counted among those that wait; now it is, as one that was decided. */
  readonly uncounted?: boolean
}

export interface CallAttempt {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
}

export type ImageKey = Pick<MessageImage, 'messageId' | 'number'>

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
 * Everything that lasts. Every method that names an owner answers as if foreign rows did not exist. Times are epoch
 * milliseconds. Whatever changes a call, a grant or the settings is written to the conversation's log in the same
 * transaction. One contract suite (`store.contract.ts`) runs on SQLite and PostgreSQL.
 */
export interface Store
  extends FairUseStore, TrialClaimStore, OwnerDataStore, SearchStore, ShareStore, ShelfStore, PresetStore {
  readonly kind: 'sqlite' | 'postgres'
  /** Left out where a store has none: then others are heard of by asking. */
  readonly signals?: StoreSignals
  /** Left out where a store cannot tell. */
  readonly processes?: StoreProcesses
  readonly accounts: AccountRows
  /** For better-auth alone, which writes its own tables: another handle of SQLite would break into open transactions. */
  readonly database: { readonly db: Kysely<Schema>; readonly type: 'sqlite' | 'postgres' }
  /**
   * Newest first, those behind `after`; `query` is looked for in titles, whatever its case, and finds what is put away too. Where
   * all is asked for, what is pinned comes first and beside the `limit`.
   */
  listConversations(
    owner: string,
    query: string,
    limit: number,
    after?: ListPlace,
    shelf?: Shelf,
  ): Promise<readonly ConversationSummary[]>
  /** The line of one of them. */
  summariseConversation(owner: string, id: string): Promise<ConversationSummary | null>
  /**
   * The same id again gives the stored row. Ids are an owner's own: somebody else's conversation may have the same. An owner who
   * keeps `maxBytes` already is refused (`storage-full`); null or left out: nobody. `isFollowed`: before anybody is answered an append
   * is stored, whose wait for the disk is enough for both.
   */
  createConversation(
    owner: string,
    conversation: Conversation,
    maxBytes?: number | null,
    options?: { readonly isFollowed: boolean },
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
    },
    now: number,
    maxBytes?: number | null,
  ): Promise<Conversation | null>
  deleteConversation(owner: string, id: string): Promise<boolean>

  /** The answer that a request got before, if it was made before. */
  findAppend(owner: string, conversationId: string, requestId: string): Promise<AppendAnswer | null>
  /** The same `requestId` again gives `replayed: true` and the first answer. */
  append(owner: string, conversationId: string, requestId: string, plan: AppendPlan, now: number): Promise<AppendAnswer>

  /**
   * First decision wins: `granted` false gives the row that stands. Attempt n+1 is granted only over a `run` of attempt
   * n that has no outcome and was not posted. A grant that `record.by` names counts one use. Refuses as `conflict` when
   * that grant was revoked, the rule dropped or the call amended meanwhile, as `call-not-open` when the chat has gone on without the call
   * or `maxRuns` calls of its reply were run.
   */
  decideCall(
    owner: string,
    conversationId: string,
    record: CallRecord,
    basis: DecisionBasis,
    maxBytes?: number | null,
  ): Promise<{ readonly granted: boolean; readonly call: CallRecord }>
  /**
   * Notes that the user stopped a run, once, only for the attempt and runner that were granted (else null), and what it
   * had said by then, once that is known. Changes nothing where an outcome stands: it ended before the stop reached it.
   */
  stopCall(
    owner: string,
    conversationId: string,
    key: CallAttempt & { readonly runnerId: string },
    outcome: CallOutcome | null,
    now: number,
    maxBytes?: number | null,
  ): Promise<CallRecord | null>
  /**
   * Stores an outcome once, only for the attempt and runner that were granted (else null); a repeat gives the stored
   * row. `isGated` says whether the result waits for a look, by the settings and tools as they are then; of a call that the user
   * wrote on without it is kept.
   */
  finishCall(
    owner: string,
    conversationId: string,
    key: CallAttempt & { readonly runnerId: string },
    outcome: CallOutcome,
    isGated: (call: CallRecord, settings: ConversationSettings, tools: readonly RegisteredTool[]) => boolean,
    now: number,
    maxBytes?: number | null,
  ): Promise<CallRecord | null>
  /**
   * First release wins and is given back; `withheld` may still become `sent` or `changed`. Refuses as `call-not-open`
   * when nothing waits, and once the result was posted.
   */
  releaseCall(
    owner: string,
    conversationId: string,
    key: CallAttempt,
    release: ResultRelease,
    maxBytes?: number | null,
  ): Promise<CallRecord>
  /**
   * Adds the reason to a denial that was given none, as long as the model has not been told; the first one wins and is
   * given back. Refuses as `call-not-open` where nothing was denied by a click, and once the results were posted.
   */
  explainDenial(
    owner: string,
    conversationId: string,
    key: Pick<CallAttempt, 'messageId' | 'slot'>,
    reason: string,
    now: number,
  ): Promise<CallRecord>
  /**
   * Stores or takes back what the user made of a call, and gives the amendments of that message; null where others than
   * `seen` stand there by now: nothing was written. Refuses as `call-not-open` once the call was decided or the chat has
   * gone on without it.
   */
  amendCall(
    owner: string,
    conversationId: string,
    key: { readonly messageId: string; readonly slot: number },
    plan: AmendPlan,
    now: number,
    maxBytes?: number | null,
  ): Promise<readonly CallAmendment[] | null>

  /**
   * Stores a tool of the conversation's own, in the place of one of that name, and gives all. The same again writes nothing;
   * with another one what was remembered of the one before and its rules end: they were said to that one.
   * Refuses as `conflict` where its name would be taken for another's, or there would be too many or too long ones, and as
   * `storage-full` whoever keeps `maxBytes` already; null or left out: nobody.
   */
  registerTool(
    owner: string,
    conversationId: string,
    tool: RegisteredTool,
    now: number,
    maxBytes?: number | null,
  ): Promise<readonly RegisteredTool[]>
  /**
   * Takes a tool of the conversation's own out, with what was remembered of it and its rules, and gives those that are left. One
   * that is not there is no error.
   */
  removeTool(owner: string, conversationId: string, name: string, now: number): Promise<readonly RegisteredTool[]>
  /** The same id again gives the stored grant. */
  giveGrant(owner: string, conversationId: string, grant: Grant, maxBytes?: number | null): Promise<Grant>
  /** The grant as revoked, also when it was before; null for none. */
  revokeGrant(owner: string, conversationId: string, grantId: string, now: number): Promise<Grant | null>
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

  loadRun(run: RunKey): Promise<RunRow | null>
  /**
   * Appends events (gapless seq, given by the run's only writer) and beats the heart by the database's clock; the same
   * seq again is dropped. What is acknowledged is read at once by all, and lost with the last second before a crash.
   */
  appendRunEvents(run: RunKey, events: readonly RunEvent[]): Promise<RunAppended>
  /** The same for several runs, each of them once, in one transaction; an answer each, in their order. */
  appendEventsOfRuns(appended: readonly EventsOfRun[]): Promise<readonly RunAppended[]>
  /**
   * Events that follow on `after` without a gap, at most `limit`, together with the run's row as it was then; null for no
   * such run.
   */
  readRunEvents(
    run: RunKey,
    after: number,
    limit: number,
  ): Promise<{ readonly run: RunRow; readonly events: readonly RunEvent[] } | null>
  /** The reply as its row stands; final once the run has ended. */
  loadReply(run: RunKey): Promise<AssistantMessage | null>
  /** Null: no such run, or a process of the server writes it. */
  loadTabRun(run: RunKey): Promise<TabRunRow | null>
  /**
   * The beat of a heart, and what of a tab's pieces goes on from where the log stands: what is known is passed over, and nothing
   * is taken behind a gap or beyond `maxChars` of the whole reply. Whose run it is was asked before.
   */
  appendTabPieces(run: RunKey, pieces: readonly TabPiece[], maxChars: number): Promise<TabRunState>
  /** Writes the final message, as it was `said` or as the log folds to it, and the `end` event; false when the run had ended before. */
  endRun(run: RunKey, ending: StoredRunEnding, now: number): Promise<boolean>
  /** True when the run is running; its writer hears of it at its next beat. */
  requestStop(run: RunKey): Promise<boolean>
  /** Running runs whose heart was silent for longer, by the database's clock, for recovery; of all owners. */
  staleRuns(silentForMs: number): Promise<readonly RunRow[]>
  /** Deletes events of runs that ended longer ago; of all owners. */
  pruneRunEvents(endedForMs: number): Promise<void>
  /** Rejects with what the database says while it is away, or has no room for another row. */
  ping(): Promise<void>
  /** The one clock that all its nodes share, epoch milliseconds: what counts by minutes, hours or days follows it. */
  time(): Promise<number>
  close(): Promise<void>
}
