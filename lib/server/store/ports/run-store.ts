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

/** Identifies one run. */
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
  /** The time since the last heartbeat of a running run, by the database's clock. */
  readonly silentMs: number
  /** A tab writes it, not a process of the server. */
  readonly isByTab: boolean
  /** The process that writes it, for `StoreProcesses`; null: it can't be found out whether that is alive. */
  readonly process: number | null
}

/** A run that a tab writes. */
export interface TabRunRow extends RunRow {
  readonly writer: RunWriterRow
}

/** Events that the run's only writer stores. */
export interface EventsOfRun {
  readonly run: RunKey
  readonly events: readonly RunEvent[]
}

export interface StoredRunEnding {
  /** The events that the log still lacks; they are appended before the end, and repeated numbers are ignored. */
  readonly events?: readonly RunEvent[]
  readonly outcome: ReplyOutcome
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
  /** Omitted: it was not requested. */
  readonly exact?: ExactOfReply
  /** As in the message. */
  readonly thoughtMs?: readonly number[]
  /** As in the message. */
  readonly pace?: ReplyPace
  /** As in the message. */
  readonly sent?: NonNullable<AssistantMessage['sent']>
  /**
   * For callers other than the producer: ends the run only if it has had no heartbeat for longer, by the database's
   * clock.
   */
  readonly silentForMs?: number
  /** For callers that have read the whole log: ends the run only if this is its last event. */
  readonly lastSeq?: number
  /** How many calls of the final message can be decided; stored with the message for the chat list. */
  readonly runnableCalls: number
  /**
   * The reply as its writer has it, with the number of its last event, so that log entries lost in a crash do not
   * matter. Omitted: the reply is folded from the log.
   */
  readonly said?: { readonly text: string; readonly reasoning: string; readonly lastSeq: number }
}

export interface RunAppended {
  /** False: the run was ended by another process or is gone; nothing was written. */
  readonly live: boolean
  readonly stopRequested: boolean
  /**
   * The last stored event. If it precedes the first given one by a gap, a database crash lost some acknowledged events.
   * Then nothing was written, and the writer must append them again.
   */
  readonly lastSeq: number
}

/** Running replies and their events. */
export interface RunStore {
  loadRun(run: RunKey): Promise<RunRow | null>
  /**
   * Appends events (consecutive numbers, assigned by the run's only writer), and updates the heartbeat by the
   * database's clock; repeated numbers are ignored. All readers see acknowledged events at once; a crash may lose those
   * of the last second.
   */
  appendRunEvents(run: RunKey, events: readonly RunEvent[]): Promise<RunAppended>
  /** The same for several runs, each of them once, in one transaction; returns one result each, in order. */
  appendEventsOfRuns(appended: readonly EventsOfRun[]): Promise<readonly RunAppended[]>
  /**
   * The events that follow `after` without a gap, at most `limit`, together with the run's row at that time; null for
   * no such run.
   */
  readRunEvents(
    run: RunKey,
    after: number,
    limit: number,
  ): Promise<{ readonly run: RunRow; readonly events: readonly RunEvent[] } | null>
  /** The stored reply; final once the run has ended. */
  loadReply(run: RunKey): Promise<AssistantMessage | null>
  /** Null: no such run, or a process of the server writes it. */
  loadTabRun(run: RunKey): Promise<TabRunRow | null>
  /**
   * Updates the heartbeat, and stores those pieces of a tab that continue the log: known ones are ignored, and nothing
   * is stored after a gap or beyond `maxChars` of the whole reply. The caller has checked the owner.
   */
  appendTabPieces(run: RunKey, pieces: readonly TabPiece[], maxChars: number): Promise<TabRunState>
  /**
   * Writes the final message, as given in `said` or folded from the log, and the `end` event; false if the run had
   * ended before.
   */
  endRun(run: RunKey, ending: StoredRunEnding, now: number): Promise<boolean>
  /** True if the run is running; its writer learns of the stop with its next heartbeat. */
  requestStop(run: RunKey): Promise<boolean>
  /** Running runs without a heartbeat for longer, by the database's clock, for recovery; of all owners. */
  staleRuns(silentForMs: number): Promise<readonly RunRow[]>
  /** Deletes events of runs that ended longer ago; of all owners. */
  pruneRunEvents(endedForMs: number): Promise<void>
}

/** The tab that writes a run, with the facts of its model. */
export interface RunWriterRow {
  /** SHA-256 of the tab's key, in hex. */
  readonly keyHash: string
  readonly model: TabModel
  /** The skills in the append, because the prompt is requested later. */
  readonly skills?: readonly SkillLine[]
}
