import { labOrder, trialOf, type LabPlan } from './plan'
import { playTrial, type AskedOf } from './play-trial'
import type { Probe } from './probe'
import { TrialRefused, type TrialModel } from './trials'
import type { TrialRecord } from './trial-record'
import { z } from 'zod'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'

/** The setup of a lab; with its trials it contains everything that its report needs. */
export interface LabSetup {
  readonly version: 1
  readonly id: string
  /** Epoch ms. */
  readonly startedAt: number
  readonly asked: AskedOf
  /** The names of the model and its provider, as people know them. */
  readonly modelLabel: string
  readonly providerLabel: string
  readonly plan: LabPlan
  /** Ids of its probes, in the plan's order; from the imported file if one is named, else Nod's own. */
  readonly probeIds: readonly string[]
  readonly probeFile: string | null
  readonly parallel: number
  /** The hash of all prompts under these strategies. */
  readonly promptHash: string
}

/** `allTrials`: the limit of a whole lab, whose records are held in memory. */
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

export interface LabRunnerPorts {
  readonly model: TrialModel
  /** Stores a record permanently, before it counts. */
  readonly keep: (record: TrialRecord) => Promise<void>
  /** Called for every change, with the current progress. */
  readonly changed: (progress: LabProgress) => void
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Says why something failed, in a sentence for people; '' if unknown. */
  readonly describe: (error: unknown) => string
}

export interface LabProgress {
  readonly running: number
  /** Trials whose request failed too often; they have no verdict and are tried again when the lab continues. */
  readonly failed: number
  /** Why the last request failed; null: none did. */
  readonly trouble: string | null
  /** The lab ended by itself because continuing would change nothing. */
  readonly gaveUp: boolean
}

/** The tries of a failed request; a refusal with a time to wait does not count. */
const TRIES = 3
const RETRY_MS = 2_000
/** Consecutive failures without an answer after which the lab stops and says so. */
const GIVE_UP_AFTER = 6
/** The most refusals of one trial that are waited for. */
const MAX_REFUSALS = 200

/**
 * Runs all trials of a plan that have no record yet, some in parallel, in the plan's order. Resolves when they are
 * done, when the signal aborts (pending trials are dropped and have no verdict), or when it gave up. Never rejects
 * because of a model.
 */
export async function runLab(
  setup: LabSetup,
  probes: readonly Probe[],
  done: ReadonlySet<number>,
  ports: LabRunnerPorts,
  signal: AbortSignal,
): Promise<LabProgress> {
  const { plan, parallel, asked } = setup
  const order = labOrder(plan)
  const ended = new AbortController()
  const over = AbortSignal.any([signal, ended.signal])
  let progress: LabProgress = { running: 0, failed: 0, trouble: null, gaveUp: false }
  let next = 0
  let inARow = 0
  const change = (part: Partial<LabProgress>) => {
    progress = { ...progress, ...part }
    ports.changed(progress)
  }
  const abandon = () => {
    change({ gaveUp: true })
    ended.abort()
  }

  async function playOne(number: number): Promise<void> {
    const { probe: place, arm } = trialOf(plan, number)
    const probe = probes[place]
    if (!probe) return
    let refusals = 0
    for (let tries = 1; !over.aborted; tries++) {
      try {
        const record = await playTrial({ probe, arm, number, asked }, ports.model, over)
        await ports.keep(record)
        inARow = 0
        if (progress.trouble !== null) change({ trouble: null })
        return
      } catch (error) {
        if (over.aborted) return
        const trouble = (error instanceof TrialRefused && error.message) || ports.describe(error)
        change({ trouble })
        if (error instanceof TrialRefused && error.isFinal) return abandon()
        const retryAfter = error instanceof TrialRefused ? error.retryAfterSeconds : null
        // A server that says when to try again is up: that is no failure.
        if (retryAfter !== null && (refusals += 1) <= MAX_REFUSALS) {
          tries -= 1
          await ports.wait(retryAfter * 1_000, over)
          continue
        }
        inARow += 1
        if (inARow >= GIVE_UP_AFTER) return abandon()
        if (tries >= TRIES) return change({ failed: progress.failed + 1 })
        await ports.wait(RETRY_MS * tries, over)
      }
    }
  }

  async function work(): Promise<void> {
    while (!over.aborted && next < order.length) {
      const number = order[next] ?? 0
      next += 1
      if (done.has(number)) continue
      change({ running: progress.running + 1 })
      await playOne(number)
      change({ running: progress.running - 1 })
    }
  }

  await Promise.all(Array.from({ length: Math.max(1, parallel) }, work))
  return progress
}

/** Reports are updated no more often than someone can read them. */
const LEAST_MS = 400
/** Up to this many trials a report costs a page next to nothing. */
const EASY = 2_000

/**
 * Milliseconds until the next report of a lab with this many records: reports of a large one are made less often, so
 * that together they cost no more than the trials.
 */
export const reportPaceMs = (records: number): number => LEAST_MS * Math.max(1, records / EASY)
