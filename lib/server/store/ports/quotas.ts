/*
 * What a reply uses of shared limits, and the record of its use. Limits are checked in the transaction that uses them,
 * so that any number of nodes together allow exactly as many as configured. What a reply holds is freed with its end,
 * no matter who ends it, so that no counter leaks when a node dies.
 */

import type { TokenClaim } from '@/lib/shared/prompt/prompt-budget'
import type { ReplyOutcome, Usage } from '@/lib/shared/conversation/conversation'

/** Tokens of one day from one budget. The budget belongs to a person, or to `everyone`. */
export interface BudgetLine {
  readonly owner: string
  /** The rule's name: the same name means the same budget. */
  readonly name: string
  readonly tokensPerDay: number
  /** For messages: `*`, `openai/*`, or one model. */
  readonly models: string
}

/** What an append claims for its reply; if a plan has none, nothing is counted or limited. */
export interface RunClaim {
  /** How many replies of this owner may run at a time, on all nodes. */
  readonly maxRunning: number
  /** How many replies of this owner may be queued; 0: none, they are refused. */
  readonly maxQueued: number
  /** The reply must wait even if the owner has free slots: this process is full. */
  readonly waits: boolean
  /**
   * A tab writes the reply: it is never queued, is refused if there is no slot, and uses none of the server's tokens.
   */
  readonly byTab?: true
  /** The address of the request (`addressSubject`), and how many replies may run for it. */
  readonly address: { readonly subject: string; readonly maxRunning: number } | null
  /** The owner's storage limit in bytes; null: unlimited. */
  readonly maxBytes: number | null
  readonly tokens: TokenClaim
  readonly budgets: readonly BudgetLine[]
}

/** A UTC day. */
export interface Day {
  /** Midnight in epoch milliseconds. */
  readonly startsAt: number
  readonly endsAt: number
}

const DAY_MS = 24 * 60 * 60 * 1000

export function dayOf(now: number): Day {
  const startsAt = Math.floor(now / DAY_MS) * DAY_MS
  return { startsAt, endsAt: startsAt + DAY_MS }
}

/** The numbers of one day and model; never texts. */
export interface UsageRow {
  /** Midnight UTC, epoch ms. */
  readonly day: number
  readonly model: string
  readonly replies: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** How many replies have an estimate, because their provider reported no numbers, or they broke off. */
  readonly estimated: number
}

export interface UsageByModelAndDay extends UsageRow {
  /** How many owners had a reply. */
  readonly owners: number
}

export interface QuotaWindow {
  readonly owner: string
  readonly name: string
  readonly startsAt: number
  readonly endsAt: number
}

/** Shared limits and usage counts of all owners. */
export interface QuotaStore {
  /** Takes `cost` from a window and returns the total taken so far; null: not enough is left, and nothing was taken. */
  takeQuota(window: QuotaWindow, cost: number, limit: number): Promise<number | null>
  /**
   * Takes a reply out of the queue to start it; false: its owner or address has no free slot. If the reply is gone, its
   * slot is freed in any case.
   */
  startClaim(
    owner: string,
    runId: string,
    limits: { readonly maxRunning: number; readonly maxRunningOfAddress: number },
    now: number,
  ): Promise<'started' | 'full' | 'gone'>
  /** Stores the queue places of this process's replies, for readers in other processes. */
  storePlaces(
    places: readonly { readonly owner: string; readonly runId: string; readonly place: number }[],
  ): Promise<void>
  /** The place in the queue, from 1; 0: queued, but the place is not stored yet; null: not queued. */
  placeOf(owner: string, runId: string): Promise<number | null>
  /** Settles claims of abandoned replies and deletes expired windows, a limited number of both; returns how many. */
  sweepFairUse(now: number): Promise<number>
  /** What was taken from each budget on the day of `now`. */
  budgetsTaken(lines: readonly BudgetLine[], now: number): Promise<readonly number[]>
  /** Newest day first. */
  usageOfOwner(owner: string, sinceDay: number): Promise<readonly UsageRow[]>
  /** Of all owners, newest day first: for the operator. */
  usageByModelAndDay(sinceDay: number): Promise<readonly UsageByModelAndDay[]>
}

/** A reply outside of any chat: it uses shared limits like any other, and is not stored. */
export interface TrialClaimStore {
  /** Claims like an append; refuses with the same messages. A claim without a heartbeat is settled by the sweep. */
  claimTrial(
    owner: string,
    trial: { readonly id: string; readonly model: string },
    claim: Omit<RunClaim, 'waits' | 'maxQueued'>,
    now: number,
  ): Promise<void>
  /** Heartbeat: the reply is still being written. */
  beatTrial(owner: string, id: string, now: number): Promise<void>
  /** Frees what the claim held, and records its use; `written`: the model's whole text. */
  settleTrial(
    owner: string,
    id: string,
    ending: { readonly outcome: ReplyOutcome; readonly usage: Usage | null },
    written: string,
  ): Promise<void>
}
