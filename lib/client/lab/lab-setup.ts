import { z } from 'zod'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import type { LabPlan } from './plan'
import type { AskedOf } from './play-trial'

/** A lab as it was begun; with its trials it says all that its report needs. */
export interface LabSetup {
  readonly version: 1
  readonly id: string
  /** Epoch ms. */
  readonly startedAt: number
  readonly asked: AskedOf
  /** As people know the model and who serves it. */
  readonly modelLabel: string
  readonly providerLabel: string
  readonly plan: LabPlan
  /** Ids of its probes, in the plan's order; from the imported file where that is named, else ours. */
  readonly probeIds: readonly string[]
  readonly probeFile: string | null
  readonly parallel: number
  /** Of all that models are told under these strategies. */
  readonly promptHash: string
}

/** `allTrials`: of a whole lab; what came of them is held in memory. */
export const labLimits = { trials: 20, parallel: 16, allTrials: 1_000_000 } as const

const text = z.string().max(500)

export const labSetupSchema: z.ZodType<LabSetup> = z.object({
  version: z.literal(1),
  id: z.string().min(1).max(100),
  startedAt: z.number().min(0),
  asked: z.object({
    model: text.min(1),
    temperature: z.number().min(0).max(2).nullable(),
    takesSchema: z.literal(true).exactOptional(),
  }),
  modelLabel: text,
  providerLabel: text,
  plan: z.object({
    probeCount: z.int().min(1).max(100_000),
    strategies: z.array(z.enum(strategyIds)).min(1).max(strategyIds.length),
    exact: z.array(z.enum(strategyIds)).max(strategyIds.length).exactOptional(),
    trials: z.int().min(1).max(labLimits.trials),
    seed: z.int().min(0).max(0xffff_ffff),
  }),
  probeIds: z.array(z.string().max(500)).max(100_000),
  probeFile: text.nullable(),
  parallel: z.int().min(1).max(labLimits.parallel),
  promptHash: text,
})
