import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import type {
  CallAmendment,
  CallOutcome,
  CallRecord,
  InnerCall,
  Grant,
  ResultRelease,
} from '@/lib/shared/conversation/call-record'
import type { CopyEnd, CopyLook, ShownCopy } from '@/lib/shared/conversation/copy-scopes'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { CopyEffect, RelayCall, QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

/** The user's amendment of a call, planned on the state of its reply. */
export interface AmendPlan {
  /** Null undoes the current amendment. */
  readonly amendment: Pick<CallAmendment, 'call'> | null
  /** All amendments of the reply at the time of the plan. */
  readonly seen: readonly CallAmendment[]
  /** How many calls of the reply can be decided, or were, including this amendment. */
  readonly runnableCalls: number
}

/** Who opens a link for a reviewer: its secret, and the signed-in account. */
export interface ReviewKey {
  readonly tokenHash: string
  readonly reviewer: string
}

/** What a decision was based on. */
export interface DecisionBasis {
  /** The call as the model wrote it; null if it could not be read. */
  readonly asked: CallToWrite | null
  /** The amendment in the effective call; a decision on another version of it is refused (`conflict`). */
  readonly amendment: CallAmendment | null
  /** How many calls of one reply may run. */
  readonly maxRuns: number
  /**
   * If a rule in the settings decided: whether it still applies with the settings at that moment (otherwise
   * `conflict`).
   */
  readonly holds?: (settings: ConversationSettings) => boolean
  /** The call was not counted as waiting; now it counts as decided. */
  readonly uncounted?: boolean
  /** A reviewer decides: refused (`not-found`) if this link has ended. */
  readonly review?: ReviewKey
}

export interface CallAttempt {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
}

/**
 * Calls with their decisions, results and amendments, and the grants and tools of a conversation. Every change is
 * written to the log in the same transaction.
 */
export interface CallStore {
  /**
   * The first decision wins: `granted` false returns the stored row. Attempt n+1 is granted only over a `run` of
   * attempt n that has no outcome and was not posted. A grant named in `record.by` counts one use. Refuses as
   * `conflict` if that grant was revoked, the rule was removed or the call was amended meanwhile; as `call-not-open` if
   * the chat has continued without the call or `maxRuns` calls of its reply were run.
   */
  decideCall(
    owner: string,
    conversationId: string,
    record: CallRecord,
    basis: DecisionBasis,
    maxBytes?: number | null,
  ): Promise<{ readonly granted: boolean; readonly call: CallRecord }>
  /**
   * Records once that the user stopped a run, and its partial output once that is known; only for the granted attempt
   * and runner (otherwise null). Changes nothing if there is an outcome: the call ended before the stop arrived.
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
   * Claims the run of a granted call, or of a tool that its code calls, for this app's server: true once per attempt,
   * even for concurrent requests. False if it was already claimed, stopped, ended or decided again.
   */
  claimRelay(owner: string, conversationId: string, key: RelayCall): Promise<boolean>
  /** A question of that server waits from now on; null: it is over, and so is its answer. */
  openRelayQuestion(owner: string, conversationId: string, key: CallAttempt, question: number | null): Promise<void>
  /** Stores the user's answer, once. False: this question does not wait. */
  answerRelayQuestion(
    owner: string,
    conversationId: string,
    key: CallAttempt,
    question: number,
    answer: QuestionAnswer,
  ): Promise<boolean>
  /** Null: there is no answer yet. */
  takeRelayAnswer(
    owner: string,
    conversationId: string,
    key: CallAttempt,
    question: number,
  ): Promise<QuestionAnswer | null>
  /**
   * Stores an outcome once, only for the granted attempt and runner (otherwise null); a repeat returns the stored row.
   * `isGated` says whether the result waits for review, by the settings and tools at that moment. If the user has
   * continued without the call, its result is withheld.
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
   * Stores the decision on a tool that the code of a running call asks for, once per number: `granted` false returns
   * the stored row. Returns null unless the call still runs in the granted attempt and runner, and was not stopped.
   * Counts one use of the grant in `by`. Refuses as `conflict` if the grant was revoked, the rule no longer holds, or
   * the number belongs to another call; as `call-not-open` beyond `maxInner` calls. With `page` it belongs to a call
   * that has ended, no matter who ran that.
   */
  decideInner(
    owner: string,
    conversationId: string,
    key: CallAttempt & { readonly runnerId: string },
    inner: InnerCall,
    basis: Pick<DecisionBasis, 'holds'> & { readonly maxInner: number },
    maxBytes?: number | null,
  ): Promise<{ readonly granted: boolean; readonly call: CallRecord } | null>
  /** Stores the outcome of a tool that code called, once; a repeat returns the stored row. Null: it was not granted. */
  finishInner(
    owner: string,
    conversationId: string,
    key: CallAttempt & { readonly runnerId: string; readonly n: number },
    outcome: CallOutcome,
    now: number,
    maxBytes?: number | null,
  ): Promise<CallRecord | null>
  /**
   * The first release wins and is returned; `withheld` may still become `sent` or `changed`. Refuses as `call-not-open`
   * if no result waits, or the result was already posted.
   */
  releaseCall(
    owner: string,
    conversationId: string,
    key: CallAttempt,
    release: ResultRelease,
    maxBytes?: number | null,
  ): Promise<CallRecord>
  /**
   * Adds a reason to a denial without one, until it was sent to the model; the first reason wins and is returned.
   * Refuses as `call-not-open` if the call was not denied by a click, or the results were already posted.
   */
  explainDenial(
    owner: string,
    conversationId: string,
    key: Pick<CallAttempt, 'messageId' | 'slot'>,
    reason: string,
    now: number,
  ): Promise<CallRecord>
  /**
   * Stores or undoes the user's amendment of a call, and returns the amendments of that message; null if they are no
   * longer those of `seen`: then nothing was written. Refuses as `call-not-open` if the call was decided or the chat
   * has continued without it.
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
   * Stores a conversation's own tool, replacing one with the same name, and returns all. Storing the same tool again
   * writes nothing; a different one ends the grants and rules of the old one, because they do not apply to it. Refuses
   * as `conflict` if its name could be mistaken for another tool's, or if there would be too many or too long ones; as
   * `storage-full` if the owner already stores `maxBytes` (null or omitted: no limit).
   */
  registerTool(
    owner: string,
    conversationId: string,
    tool: RegisteredTool,
    now: number,
    maxBytes?: number | null,
  ): Promise<readonly RegisteredTool[]>
  /**
   * Removes a conversation's own tool with its grants and rules, and returns the remaining tools. Removing a missing
   * tool is not an error.
   */
  removeTool(owner: string, conversationId: string, name: string, now: number): Promise<readonly RegisteredTool[]>
  /** A repeated id returns the stored grant. */
  giveGrant(owner: string, conversationId: string, grant: Grant, maxBytes?: number | null): Promise<Grant>
  /**
   * Returns the revoked grant, also if it was revoked before; null if there is none. `end`: of a copy; the first end
   * counts.
   */
  revokeGrant(owner: string, conversationId: string, grantId: string, now: number, end?: CopyEnd): Promise<Grant | null>
  /** The calls that ran on an open copy, oldest first; null: there is no such copy, or it has ended. */
  runsOnCopy(owner: string, conversationId: string, copyId: string): Promise<readonly CallRecord[] | null>
  /**
   * Allows these changes under the grant that the copy began with, and counts one of its runs, once per copy. Refuses
   * (`conflict`) if they exceed the grant, if the grant has ended or is used up, if every call needs a click, or if a
   * call is running or ran without being in `seen`. Returns the copy; unchanged if it ended meanwhile.
   */
  allowCopy(
    owner: string,
    conversationId: string,
    copyId: string,
    plan: { readonly effects: readonly CopyEffect[]; readonly seen: readonly CallAttempt[] },
    now: number,
  ): Promise<Grant>
  /**
   * Stores what a link shows of an open copy, in place of what an earlier one showed. Refuses (`conflict`) if the copy
   * has ended, or if an answer counts already.
   */
  showCopy(owner: string, conversationId: string, copyId: string, shown: ShownCopy, now: number): Promise<CopyLook>
  /**
   * Stores an answer unless there is one. `isFirst`: this is the one that counts. `to`: the state that a link shows;
   * refused (`conflict`) if the copy changed since. `over`: replaces an answer to this state. Without a shown state, or
   * if the copy has ended, nothing is stored.
   */
  answerCopy(
    owner: string,
    conversationId: string,
    copyId: string,
    answer: NonNullable<CopyLook['answer']> & {
      readonly to?: number
      readonly over?: number
      /** As in `DecisionBasis`. */
      readonly review?: ReviewKey & { readonly now: number }
    },
  ): Promise<{ readonly copy: Grant; readonly isFirst: boolean }>
}
