import type { JsonObject } from '@/lib/base/json'
import type { CallRecord } from '../conversation'
import type { PermissionLevel } from '../settings/registered-tool'

/** The call that a link is made for, as it is seen on its card. */
export interface OpenLook {
  readonly messageId: string
  readonly slot: number
  readonly callHash: string
}

export interface LookLink {
  /** In the address of the page that shows the call. */
  readonly token: string
  readonly expiresAt: number
}

/** What another device shows of a call. */
export interface LookView {
  readonly chat: { readonly id: string; readonly title: string }
  readonly call: { readonly name: string; readonly arguments: JsonObject }
  /** Null: there is no such tool any more. */
  readonly level: PermissionLevel | null
  /** Where the call goes; null: nowhere. */
  readonly host: string | null
  /** The sentence of a text that asks for the call, where the user did not; null: none. */
  readonly asked: string | null
  /** Null: it waits. */
  readonly decision: CallRecord['decision'] | null
  /** It was approved and has an outcome. */
  readonly hasRun: boolean
  readonly expiresAt: number
}

export interface LookAnswer {
  readonly decision: 'run' | 'deny'
  readonly reason?: string
}

/** What the runner of a decision is called that was made on another device: nothing runs there. */
export const lookRunner = 'look-'

/** Approved on another device, and not begun: the browser that has the files makes the next attempt. */
export const isApprovedElsewhere = ({ decision, runnerId, outcome, stopped }: CallRecord): boolean =>
  decision === 'run' && outcome === null && !stopped && runnerId?.startsWith(lookRunner) === true
