import type { JsonObject } from '@/lib/base/json'
import type { CallRecord } from '../call-record'
import type { PermissionLevel } from '../settings/registered-tool'

/** The call that a link is made for, as its card shows it. */
export interface NewCallLink {
  readonly messageId: string
  readonly slot: number
  readonly callHash: string
}

export interface CallLink {
  /** Part of the address of the page that shows the call. */
  readonly token: string
  readonly expiresAt: number
}

/** What another device shows of a call. */
export interface CallLinkView {
  readonly chat: { readonly id: string; readonly title: string }
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

/** The prefix of a runner id for a decision on another device: nothing runs there. */
export const callLinkRunner = 'look-'

/** Approved on another device, but not started: the browser that has the files makes the next attempt. */
export const isApprovedElsewhere = ({ decision, runnerId, outcome, stopped }: CallRecord): boolean =>
  decision === 'run' && outcome === null && !stopped && runnerId?.startsWith(callLinkRunner) === true
