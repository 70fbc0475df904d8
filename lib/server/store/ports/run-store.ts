import type {
  AssistantMessage,
  ExactOfReply,
  ReplyOutcome,
  ReplyPace,
  Usage,
} from '@/lib/shared/conversation/conversation'
import type { SkillLine } from '@/lib/protocols/prompt/skill-lines'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { TabPiece, TabRunState, TabModel } from '@/lib/shared/conversation/wire/tab-run'
import type { ModelFailure } from '@/lib/shared/models/model'

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
  /** As in the message. */
  readonly sent?: NonNullable<AssistantMessage['sent']>
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

/** Replies that are being written, and their events. */
export interface RunStore {
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
}

/** Which tab writes a run, and what it says of its model. */
export interface RunWriterRow {
  /** SHA-256 of the tab's key, in hex. */
  readonly keyHash: string
  readonly model: TabModel
  /** What the append said of skills: the prompt is asked for later. */
  readonly skills?: readonly SkillLine[]
}
