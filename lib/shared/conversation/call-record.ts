import type { CopyScope, EffectsScope } from './copy-scopes'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { CallToWrite, ToolExecuteStatus } from '@/lib/protocols/types/tool-context-def'
import type { ChangedPath } from '@/lib/vfs/path'

/** A tool result as a row. `slot` counts the calls of the assistant message in order, from 0. */
export interface ToolResult {
  readonly messageId: string
  readonly slot: number
  readonly callId: string
  readonly name: string
  readonly status: ToolExecuteStatus
  readonly result: JsonValue
  /** What the user changed or said about the call or its result, for the model; '' for nothing. */
  readonly note?: string
  readonly durationMs: number | null
}

/**
 * A decision on one call and, once it ran, its outcome. Unique per (message, slot): the row ensures that a call runs
 * exactly once. The state of a card = f(message text, amendment, this row, results posted); see lib/client/calls.
 */
export interface CallRecord {
  readonly messageId: string
  readonly slot: number
  readonly callId: string
  /** The tool that was decided on; differs from the requested one where `changed` says so. */
  readonly name: string
  /**
   * SHA-256 over message id, slot, tool and canonical arguments of the decided call: the approval is bound to it. Null
   * if nothing was approved.
   */
  readonly callHash: string | null
  readonly decision: 'run' | 'deny' | 'skip'
  readonly reason: string
  /** What ran instead of the model's call; null if that ran unchanged. */
  readonly changed: CallToWrite | null
  readonly by: DecidedBy | ReviewedBy | ClosedBy
  /** The tab that runs it; it holds the Web Lock `nod:call:<messageId>:<slot>` meanwhile. */
  readonly runnerId: string | null
  /** Counts starts: "Run again" after an interruption is attempt 2. */
  readonly attempt: number
  readonly decidedAt: number
  /** Null while it runs, when its page is gone, and after a stop until that is settled. */
  readonly outcome: CallOutcome | null
  /** The user pressed Stop on this attempt; left out: not. It may have ended anyway: then `outcome` says how. */
  readonly stopped?: StoppedRun
  readonly finishedAt: number | null
  /**
   * The result waits for the user's review before the model gets it. Decided by the server when the outcome arrived.
   */
  readonly gated: boolean
  /** What the user released of a gated result; null while it waits, and always if nothing was gated. */
  readonly release: ResultRelease | null
  /**
   * The user message that sent the result to the model; without an outcome the model learned that it is unfinished.
   */
  readonly postedIn: string | null
  readonly inner?: readonly InnerCall[]
  /** The parts of its row that can't be read; safe values replace them. Left out: all of it was read. */
  readonly unreadable?: readonly ('decision' | 'outcome' | 'stop' | 'release' | 'inner')[]
}

/**
 * A tool that code called while it ran; stored before the code gets its answer. `n`: 1, 2, 3 … in the order of this
 * attempt.
 */
export interface InnerCall
  extends CallToWrite, Pick<CallRecord, 'attempt' | 'decision' | 'reason' | 'decidedAt' | 'outcome'> {
  readonly n: number
  readonly by: DecidedBy
  /**
   * The page that shows the call's result asked for it (MCP Apps), after the call had ended. `name` is the server's own,
   * and the result is not stored.
   */
  readonly page?: true
  /** This app's server carried it out, or began to: it does so once. */
  readonly relayed?: true
}

export interface StoppedRun {
  /** When the server received the click. */
  readonly at: number
  /** The run's output and changes until it ended; null while unknown, or if they will never be known. */
  readonly outcome: CallOutcome | null
  /** False: nothing ran, the user stopped the calls before it (`neverBegan`). Left out: it may have begun. */
  readonly begun?: false
}

/** Who decided: a click, a rule of mode `auto`, or an active grant. */
export type DecidedBy =
  | { readonly kind: 'click' }
  | { readonly kind: 'auto' }
  | { readonly kind: 'grant'; readonly grantId: string }

/** Another account decided, by a link that the owner made for it. Never sent by a client: the server knows who it is. */
export interface ReviewedBy {
  readonly kind: 'reviewer'
  /** The account's name at that moment. Anyone may have chosen it. */
  readonly name: string
}

/** What closed an undecided call. */
export type ClosedBy =
  /** The user stopped the calls before it: its row says `run`, but it did not run. */
  | { readonly kind: 'run-stopped' }
  /** The user sent another message. */
  | { readonly kind: 'overtaken' }
  /** `maxCalls` calls of its reply had run, which was the limit. */
  | { readonly kind: 'limit'; readonly maxCalls: number }
  /** The stored value can't be read. */
  | { readonly kind: 'unknown' }

/** How a result was edited before it was sent. `revealed`: placeholders were replaced by their values. */
export type ResultChange = 'revealed' | 'trimmed' | 'redacted' | 'edited' | 'file-reference'

type Click = Extract<DecidedBy, { kind: 'click' }>

/** Who withheld a result. */
export type WithheldBy =
  | Click
  /** Nobody: the user sent another message instead of reviewing it. */
  | { readonly kind: 'overtaken' }
  /** Nobody: it came with an imported chat, whose model had not got it. */
  | { readonly kind: 'imported' }
  /** The stored value can't be read, or never said it. */
  | { readonly kind: 'unknown' }

/** The decision on a gated result. `withheld` may still become `sent` or `changed` until the results are posted. */
export type ResultRelease =
  | { readonly kind: 'sent'; readonly by: Click; readonly note: string; readonly releasedAt: number }
  | {
      readonly kind: 'changed'
      readonly by: Click
      /** Replaces the outcome's result; the outcome itself stays in the row. */
      readonly result: JsonValue
      readonly changes: readonly ResultChange[]
      readonly note: string
      readonly releasedAt: number
    }
  | { readonly kind: 'withheld'; readonly by: WithheldBy; readonly note: string; readonly releasedAt: number }

/**
 * The user's edit of a call before it is decided: `call` is what would run instead of the model's call. A quoted,
 * foreign or broken call becomes a call by its amendment (`slot` from `promotedSlot`); `call: null` accepts it as it is
 * read.
 */
export interface CallAmendment {
  readonly messageId: string
  readonly slot: number
  readonly call: CallToWrite | null
  readonly amendedAt: number
  /** The user's edit can't be read: nothing runs until it is undone or replaced. */
  readonly unreadable?: true
}

/** What a grant covers; never a sensitive tool. */
export type GrantScope =
  | { readonly kind: 'arguments'; readonly tool: string; readonly argumentsHash: string; readonly label: string }
  | { readonly kind: 'folder'; readonly tool: string; readonly folder: string }
  | { readonly kind: 'tool'; readonly tool: string }
  /** Pages of a host, with scheme and port: `https://example.com`. Only addresses that say nothing else (`plainOrigin`). */
  | { readonly kind: 'host'; readonly tool: string; readonly origin: string }

/** A remembered approval in one conversation, until it is withdrawn or the conversation ends. */
export interface Grant {
  readonly id: string
  /** A grant whose row can't be read covers nothing. */
  readonly scope: GrantScope | CopyScope | EffectsScope | { readonly kind: 'unreadable' }
  readonly createdAt: number
  readonly uses: number
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  /** When it expires, epoch milliseconds; left out: it ends with the conversation. */
  readonly expiresAt?: number
  /** The call on whose card it was given, by a click on Run; left out: unknown. */
  readonly givenOn?: { readonly messageId: string; readonly slot: number }
}

export interface CallOutcome {
  readonly status: ToolExecuteStatus
  readonly result: JsonValue
  readonly durationMs: number | null
  /** Console lines of the run, for the card; not sent to the model unless the tool's result contains them. */
  readonly console: readonly { readonly level: string; readonly text: string; readonly atMs: number }[]
  readonly displays: readonly { readonly kind: string; readonly data: string; readonly name?: string }[]
  /** Files that it changed, if it runs on its own layer (code); left out: unknown, or none. */
  readonly files?: FileChanges
  /**
   * The sentences of `result.error`, for its reader; left out: they come from foreign code, or an older build stored
   * it.
   */
  readonly said?: readonly SaidReason[]
}

/** A message by its key. */
interface SaidReason {
  readonly reason: string
  readonly values: JsonObject
}

/** What a run changed, or would have changed, in the files. */
export interface FileChanges {
  /** False: the user discarded the changes. */
  readonly kept: boolean
  /** Sorted by path; cut after 200. */
  readonly changes: readonly ChangedPath[]
  /** The total number. */
  readonly total: number
}
