import type {
  CallAmendment,
  CallOutcome,
  CallRecord,
  ConversationSettings,
  Grant,
  ResultRelease,
} from '@/lib/shared/conversation/conversation'
import type { CopyEnd } from '@/lib/shared/conversation/copy-scopes'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { CopyEffect } from '@/lib/shared/conversation/wire/api-types'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

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

/** Calls with their decisions, results and amendments, the grants and the tools of a conversation. What changes one of them is
 * written to the log in the same transaction. */
export interface CallStore {
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
   * Claims the run of a granted call for a tool server of the operator: true once for an attempt, whoever asks and however
   * often. False where it was claimed, stopped, ended or decided again.
   */
  claimRelay(owner: string, conversationId: string, key: CallAttempt): Promise<boolean>
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
  /** The grant as revoked, also when it was before; null for none. `end`: of a copy; the first end counts. */
  revokeGrant(owner: string, conversationId: string, grantId: string, now: number, end?: CopyEnd): Promise<Grant | null>
  /** The calls that ran on an open copy, oldest first; null: there is no such copy, or it ended. */
  runsOnCopy(owner: string, conversationId: string, copyId: string): Promise<readonly CallRecord[] | null>
  /**
   * Lets the grant under which the copy began keep these changes, and counts one of its runs, once for a copy. Refuses
   * (`conflict`) where they go beyond it, where it ended or is used up, where every call is to be asked about, and where
   * a call runs, or ran without being among those `seen`. Gives the copy; one that ended meanwhile as it is.
   */
  allowCopy(
    owner: string,
    conversationId: string,
    copyId: string,
    plan: { readonly effects: readonly CopyEffect[]; readonly seen: readonly CallAttempt[] },
    now: number,
  ): Promise<Grant>
}
