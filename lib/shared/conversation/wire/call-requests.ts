import type { CallRecord, CallOutcome, DecidedBy, GrantScope, ResultChange } from '../call-record'
import type { PermissionLevel } from '../settings/registered-tool'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { EffectKind, EffectsScope, ShownCopy } from '../copy-scopes'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

/** Who else may open a link. */
interface LinkFor {
  /** The address of another account, which alone may then open it. Left out: the owner, on another device. */
  readonly reviewer?: string
}

/** The call that a link is made for, as its card shows it. */
export interface NewCallLink extends LinkFor {
  readonly messageId: string
  readonly slot: number
  readonly callHash: string
}

export interface CallLink {
  /** Part of the address of the page that shows the call. */
  readonly token: string
  readonly expiresAt: number
  /** In place of `token`, if the link is for a reviewer. It is made whether or not there is such an account. */
  readonly review?: string
}

/** The copy that a link is made for, as its card shows it. */
export interface NewCopyLink extends LinkFor {
  readonly copyId: string
  readonly shown: ShownCopy
}

/** What another device shows of a copy. */
export interface CopyLinkView {
  readonly chat: CallLinkView['chat']
  /** Null: it has ended. */
  readonly copy: ShownCopy | null
  /** `run`: keep all; `deny`: discard; null: it waits. */
  readonly decision: 'run' | 'deny' | null
  /** The browser with the copy has carried it out. */
  readonly hasRun: boolean
  readonly expiresAt: number
}

export type LinkView = CallLinkView | CopyLinkView

/** What another device shows of a call. */
export interface CallLinkView {
  /** `id` null: for a reviewer, who can't open the chat. */
  readonly chat: { readonly id: string | null; readonly title: string }
  readonly call: { readonly name: string; readonly arguments: JsonObject }
  /** Null: the tool no longer exists. */
  readonly level: PermissionLevel | null
  /** Where the call is sent; null: nowhere. */
  readonly host: string | null
  /** The sentence of a text that asks for the call, if the user did not ask; null: none. */
  readonly asked: string | null
  /** Null: the call waits. */
  readonly decision: CallRecord['decision'] | null
  /** It was approved and has an outcome. */
  readonly hasRun: boolean
  readonly expiresAt: number
}

export interface CallLinkAnswer {
  readonly decision: 'run' | 'deny'
  readonly reason?: string
}

export interface LinkAnswered {
  /** False: someone else was first. */
  readonly granted: boolean
  /** The decision that counts. */
  readonly decision: CallRecord['decision']
  /** Left out for a copy, and for a reviewer, who gets no result. */
  readonly call?: CallRecord
}

/**
 * The browser that has a copy is about to decide on it: an earlier answer counts. `over`: the state that the earlier
 * answer was for is no longer the copy's, so this answer replaces it.
 */
export interface AnswerCopy {
  readonly kind: 'answer'
  readonly answer: 'keep' | 'discard'
  readonly over?: number
}

/** What the model gets if a reviewer denied a call: no name, which anyone may have chosen. */
export const deniedByReviewer = 'A reviewer denied this call.'

/** The prefix of a runner id for a decision on another device: nothing runs there. */
export const callLinkRunner = 'look-'

/** Approved on another device, but not started: the browser that has the files makes the next attempt. */
export const isApprovedElsewhere = ({ decision, runnerId, outcome, stopped }: CallRecord): boolean =>
  decision === 'run' && outcome === null && !stopped && runnerId?.startsWith(callLinkRunner) === true

export interface DecideCall {
  readonly messageId: string
  readonly slot: number
  /** Must equal the server's own hash of the stored call. */
  readonly callHash: string
  /** `skip`: the user sends the other results and leaves this call out. */
  readonly decision: 'run' | 'deny' | 'skip'
  readonly reason?: string
  /** Left out: a click. The server checks a named rule or grant, and refuses (`conflict`) if it does not apply. */
  readonly by?: DecidedBy
  /**
   * With `run`: the copy that the call will run on; left out: on the files. Refused (`conflict`) if the chat works
   * elsewhere.
   */
  readonly copyId?: string
  readonly runnerId: string
  /** 1 at first; 2 and up only after an interrupted attempt, each exactly one more than the stored one. */
  readonly attempt: number
  /**
   * With `run` and attempt 1: the user stopped the calls before it. Nothing is granted; the row says that it was
   * cancelled, and another attempt may run it.
   */
  readonly cancelled?: true
}

export interface DecideCallResponse {
  /** False: it was decided before; `call` is the existing decision. */
  readonly granted: boolean
  readonly call: CallRecord
}

export interface FinishCall {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
  readonly outcome: CallOutcome
  /** The result waits for the user's review whatever the settings say: the browser found secrets in it. */
  readonly hold?: true
}

/** A tool that the code of a running call calls. Sending it again has no further effect. */
export interface DecideInner {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
  /** 1, 2, 3 … in the order of the code's calls. */
  readonly n: number
  readonly name: string
  readonly arguments: JsonObject
  readonly decision: 'run' | 'deny'
  readonly reason?: string
  /** Left out: a click. A rule or a grant is checked, and refused (`conflict`) if it does not apply. */
  readonly by?: DecidedBy
  /** The page that shows the result of the call asks for it, by the server's own name. Only a click decides. */
  readonly page?: true
}

export interface FinishInner {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
  readonly n: number
  readonly outcome: CallOutcome
}

/** Sends a granted call to the operator's tool server, or to the web; what is sent is what the stored call says. */
export interface RelayCall {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  /** The call of this number that the code of the call, or its page, asked for (`InnerCall`), in place of the call itself. */
  readonly inner?: number
}

export type QuestionAnswer =
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly action: 'decline' | 'cancel' }

/** The user's answer to a question of a relayed call. Refused (`conflict`) if it no longer waits. */
export interface AnswerRelay extends Omit<RelayCall, 'inner'> {
  readonly question: number
  readonly answer: QuestionAnswer
}

/** Stop was pressed on a run; `outcome` follows once it has ended. The same again is the same stop. */
export interface StopCall {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly runnerId: string
  /** Left out: unknown yet. */
  readonly outcome?: CallOutcome
}

/** The reason of a denial, given later. Refused with `call-not-open` once the results were posted. */
export interface ExplainDenial {
  readonly messageId: string
  readonly slot: number
  readonly reason: string
}

/** Refused with `call-not-open` once the results were posted, and if nothing waits. */
export interface ReleaseResult {
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
  readonly release:
    | { readonly kind: 'sent' | 'withheld'; readonly note: string }
    | {
        readonly kind: 'changed'
        readonly result: JsonValue
        readonly changes: readonly ResultChange[]
        readonly note: string
      }
}

/** Refused with `call-not-open` once the call was decided. Arguments may be wrong: the card then says how. */
export interface AmendCall {
  readonly messageId: string
  readonly slot: number
  /** Null undoes the amendment. */
  readonly amendment: { readonly call: CallToWrite | null } | null
}

/** Made from an existing call of the chat; the server computes its scope itself. */
export interface GiveCallGrant {
  readonly id: string
  readonly messageId: string
  readonly slot: number
  readonly callHash: string
  /** `copy`: the chat works on a copy from now on; if it does already, that grant is returned. */
  readonly kind: GrantScope['kind'] | 'copy'
  /** With `copy`: the grant of the kind `effects` that begins the copy. Left out: a click. */
  readonly under?: string
  /** With `copy`: the user chose it with the message of the task (`onCopy`), which begins one copy. */
  readonly chosen?: true
  /** With `copy`: results wait after each reply. */
  readonly isPreview?: true
}

/** Given after the changes of a copy were kept. */
export interface GiveEffectsGrant extends EffectsScope {
  readonly id: string
  /** The copy whose changes the user kept. */
  readonly copyId: string
  /** Epoch milliseconds; null: as long as the chat exists. */
  readonly until: number | null
}

export type GiveGrant = GiveCallGrant | GiveEffectsGrant

/** One path that a copy changes, as the browser recorded it. The server never receives contents. */
export interface CopyEffect {
  readonly path: string
  readonly change: EffectKind
  /** Only with `moved`. */
  readonly from?: string
  /** Bytes after the change; for a deleted file, before it. */
  readonly size: number
}

/** Asks that the grant under which a copy began keeps its changes. Refused (`conflict`) if they exceed it. */
export interface AllowCopy {
  readonly kind: 'allow'
  readonly effects: readonly CopyEffect[]
}
