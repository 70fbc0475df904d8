import { z } from 'zod'
import type { ExactOfReply } from '@/lib/shared/conversation/conversation'
import type { LabWhy } from '@/lib/client/lab/lab-why'
import { verdicts, type Verdict } from './verdict/judge'

/** What is kept of one round of a trial: enough to look at it again. */
export interface RoundRecord {
  readonly text: string
  readonly reasoning: string
  readonly outcome: 'finished' | 'length'
  readonly tokensIn: number | null
  readonly tokensOut: number | null
}

/** A trial that came to a verdict. One whose request failed has none, and is tried again. */
export interface TrialRecord {
  /** Its number in the plan. */
  readonly number: number
  readonly verdict: Verdict
  readonly why: LabWhy
  readonly rounds: readonly RoundRecord[]
  /** How far the server held it to its form; left out: it was not asked to. */
  readonly exact?: ExactOfReply['is']
  /** Live calls of all rounds. */
  readonly calls: number
  /** How many of them had to be mended. */
  readonly repaired: number
  /** From the first request to the end of the first call that was read; null: there was none. */
  readonly firstCallMs: number | null
  /** To the first piece of text. */
  readonly firstTextMs: number | null
}

/** Texts of one trial that are kept; more of it is cut. */
export const MAX_KEPT_CHARS = 100_000

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
