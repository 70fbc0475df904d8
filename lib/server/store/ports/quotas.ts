/*
 * What a reply takes of what is shared, and what is known of that afterwards. Limits are asked in the very transaction that
 * takes, so that any number of nodes let exactly as many through; what a reply holds goes with its end, whoever ends it, so
 * that no counter leaks when a node dies.
 */

import type { TokenClaim } from '@/lib/shared/prompt/prompt-budget'
import type { ReplyOutcome, Usage } from '@/lib/shared/conversation/conversation'

/** Tokens of one day that are taken from one pot. Who owns the pot: a person, or `everyone`. */
export interface BudgetLine {
  readonly owner: string
  /** Of the rule: the same name is the same pot. */
  readonly name: string
  readonly tokensPerDay: number
  /** For the sentence: `*`, `openai/*`, or one model. */
  readonly models: string
}

/** What an append asks for its reply; left out of a plan, nothing is counted or limited. */
export interface RunClaim {
  /** Replies that may be written for this owner at a time, on all nodes. */
  readonly maxRunning: number
  /** Replies of this owner that may wait for a place; 0: none does, it is refused. */
  readonly maxQueued: number
  /** It has to wait whatever the owner has: this process is full. */
  readonly waits: boolean
  /** A tab writes it: it never stands in a queue, is refused where there is no room for it, and uses no tokens of the server's. */
  readonly byTab?: true
  /** From where it was asked (`addressSubject`), and how many may be written for all who come from there. */
  readonly address: { readonly subject: string; readonly maxRunning: number } | null
  /** What one owner may keep; null: any amount. */
  readonly maxBytes: number | null
  readonly tokens: TokenClaim
  readonly budgets: readonly BudgetLine[]
}

/** A day of UTC. */
export interface Day {
  /** Epoch milliseconds of its midnight. */
  readonly startsAt: number
  readonly endsAt: number
}

const DAY_MS = 24 * 60 * 60 * 1000

export function dayOf(now: number): Day {
  const startsAt = Math.floor(now / DAY_MS) * DAY_MS
  return { startsAt, endsAt: startsAt + DAY_MS }
}

/** Numbers of one day and model; never texts. */
export interface UsageRow {
  /** Midnight UTC, epoch ms. */
  readonly day: number
  readonly model: string
  readonly replies: number
  readonly tokensIn: number
  readonly tokensOut: number
  /** Replies among them that are counted by an estimate: their provider said no numbers, or they broke off. */
  readonly estimated: number
}

export interface UsageByModelAndDay extends UsageRow {
  /** How many people had a reply. */
  readonly owners: number
}

export interface QuotaWindow {
  readonly owner: string
  readonly name: string
  readonly startsAt: number
  readonly endsAt: number
}

/** What the store counts and limits for everyone who shares it. */
export interface QuotaStore {
  /** Takes `cost` of a window; null: there is not so much left, nothing was taken. Gives what is taken by then. */
  takeQuota(window: QuotaWindow, cost: number, limit: number): Promise<number | null>
  /** A reply leaves the queue; false: its owner, or its address, has as many as may be. Its place is free either way if it is gone. */
  startClaim(
    owner: string,
    runId: string,
    limits: { readonly maxRunning: number; readonly maxRunningOfAddress: number },
    now: number,
  ): Promise<'started' | 'full' | 'gone'>
  /** Where replies of this process stand in its queue, for those who look from another one. */
  tellPlaces(
    places: readonly { readonly owner: string; readonly runId: string; readonly place: number }[],
  ): Promise<void>
  /** In the queue, from 1; 0: it waits and nobody has said where; null: it does not wait. */
  placeOf(owner: string, runId: string): Promise<number | null>
  /**
   * Settles the claims of replies that are not written any more and were ended by nobody; forgets windows that are over: some of
   * both, and gives how many.
   */
  sweepFairUse(now: number): Promise<number>
  /** What was taken of each pot on the day of `now`. */
  budgetsTaken(lines: readonly BudgetLine[], now: number): Promise<readonly number[]>
  /** Newest day first. */
  usageOfOwner(owner: string, sinceDay: number): Promise<readonly UsageRow[]>
  /** Of everyone, newest day first: for the operator. */
  usageByModelAndDay(sinceDay: number): Promise<readonly UsageByModelAndDay[]>
}

/** A reply that belongs to no chat: it takes of what is shared like any other, and nothing of it is kept. */
export interface TrialClaimStore {
  /** As an append takes for its reply; refuses with the same sentences. What nobody settles or beats ends by itself. */
  claimTrial(
    owner: string,
    trial: { readonly id: string; readonly model: string },
    claim: Omit<RunClaim, 'waits' | 'maxQueued'>,
    now: number,
  ): Promise<void>
  /** It is still being written. */
  beatTrial(owner: string, id: string, now: number): Promise<void>
  /** Gives back what it held and writes down what it used; `written`: all that the model wrote. */
  settleTrial(
    owner: string,
    id: string,
    ending: { readonly outcome: ReplyOutcome; readonly usage: Usage | null },
    written: string,
  ): Promise<void>
}
