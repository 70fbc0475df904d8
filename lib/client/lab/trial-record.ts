import { z } from 'zod'
import type { ExactOfReply } from '@/lib/shared/conversation/conversation'
import type { LabWhy } from '@/lib/client/lab/lab-why'
import { verdicts, type Verdict } from './verdict/judge'

/** The stored data of one round of a trial: enough to view it again. */
export interface RoundRecord {
  readonly text: string
  readonly reasoning: string
  readonly outcome: 'finished' | 'length'
  readonly tokensIn: number | null
  readonly tokensOut: number | null
}

/** A trial with a verdict. A trial whose request failed has none, and is tried again. */
export interface TrialRecord {
  /** Its number in the plan. */
  readonly number: number
  readonly verdict: Verdict
  readonly why: LabWhy
  readonly rounds: readonly RoundRecord[]
  /** How far the server enforced the format; left out: it was not asked to. */
  readonly exact?: ExactOfReply['is']
  /** Live calls of all rounds. */
  readonly calls: number
  /** How many of them had to be repaired. */
  readonly repaired: number
  /** From the first request to the end of the first call that was read; null: there was none. */
  readonly firstCallMs: number | null
  /** Until the first text. */
  readonly firstTextMs: number | null
}

/** The most characters of one trial that are stored; the rest is cut. */
export const MAX_STORED_CHARS = 100_000

const tokens = z.number().int().min(0).nullable()

export const trialRecordSchema: z.ZodType<TrialRecord> = z.object({
  number: z.number().int().min(0),
  verdict: z.enum(verdicts),
  why: z.object({
    reason: z.string().max(200),
    values: z.record(z.string(), z.json()),
  }) as unknown as z.ZodType<LabWhy>,
  rounds: z
    .array(
      z.object({
        text: z.string(),
        reasoning: z.string(),
        outcome: z.enum(['finished', 'length']),
        tokensIn: tokens,
        tokensOut: tokens,
      }),
    )
    .max(20),
  exact: z.enum(['honoured', 'asked', 'broken', 'ignored', 'refused']).exactOptional(),
  calls: z.number().int().min(0),
  repaired: z.number().int().min(0),
  firstCallMs: z.number().min(0).nullable(),
  firstTextMs: z.number().min(0).nullable(),
})
