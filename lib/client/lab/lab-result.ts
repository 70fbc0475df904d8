import { z } from 'zod'
import { strategyIds, type StrategyId } from '@/lib/protocols/types/tool-context-def'
import { wrongForm } from '@/lib/i18n/wrong-form'
import { t } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import { armKey } from './trials'
import type { LabSetup } from './lab-runner'
import type { LabPlan } from './plan'
import { probeKinds } from './probe'
import { bestOf, type Comparison, type LabReport, type StrategyReport } from './report'
import { verdicts } from './verdict/judge'

/** The result of a lab, without any text of the replies: small enough to share. */
export interface LabResult {
  readonly format: 'nod-lab-result'
  readonly version: 1
  readonly model: string
  readonly modelLabel: string
  readonly provider: string
  /** As the model's name says it (`q4_K_M`); null: it does not. */
  readonly quantisation: string | null
  readonly temperature: number | null
  readonly promptHash: string
  /** Constrained replies used a schema, which changes the prompt; left out: a grammar, or no constraint. */
  readonly takesSchema?: true
  /** Epoch ms. */
  readonly startedAt: number
  readonly probes: number
  /** Nod's own probes, or those of an imported file. */
  readonly probeSource: 'own' | 'file'
  readonly trialsPerProbe: number
  readonly strategies: readonly StrategyReport[]
  readonly comparisons: readonly Comparison[]
  /** The name that the author gave; null: none was given. */
  readonly by: string | null
}

export const labResultOf = (setup: LabSetup, report: LabReport, by: string | null): LabResult => ({
  format: 'nod-lab-result',
  version: 1,
  model: setup.asked.model,
  modelLabel: setup.modelLabel,
  provider: setup.providerLabel,
  quantisation: quantisationIn(setup.asked.model),
  temperature: setup.asked.temperature,
  promptHash: setup.promptHash,
  ...(setup.asked.takesSchema && { takesSchema: true as const }),
  startedAt: setup.startedAt,
  probes: setup.plan.probeCount,
  probeSource: setup.probeFile === null ? 'own' : 'file',
  trialsPerProbe: setup.plan.trials,
  strategies: report.strategies,
  comparisons: report.comparisons,
  by,
})

/** `qwen3:8b-q4_K_M`, `…-AWQ`, `…-int8`, `…-4bit`. */
const QUANTISATION =
  /(?:^|[-_.:/])(i?q\d(?:_[a-z0-9]+)*|q\d+f\d+(?:_\d)?|[fb]f?16|fp(?:8|16|32)|int[48]|[2-8]-?bit|awq|gptq|nvfp4|mxfp4)(?=$|[-_.:/])/i

export const quantisationIn = (model: string): string | null => QUANTISATION.exec(model)?.[1] ?? null

/** The plan's arms. */
export const armsOfResult = ({ strategies }: LabResult): Pick<LabPlan, 'strategies' | 'exact'> => ({
  strategies: strategies.flatMap(({ strategy, exact }) => (exact ? [] : [strategy])),
  exact: strategies.flatMap(({ strategy, exact }) => (exact ? [strategy] : [])),
})

/** The strategy that is shown to be the best for this model; null: none is. */
export const bestOfResult = (result: LabResult): StrategyId | null => bestOf(result)

const short = z.string().max(500)
const strategy = z.enum(strategyIds)
const count = z.int().min(0).max(10_000_000)
const part = z.number().min(0).max(1)
const share = z
  .object({ rate: part, low: part, high: part, count: z.number().min(0) })
  .refine(({ rate, low, high }) => low <= rate && rate <= high, 'has an interval without its rate')
  .nullable()
const counts = { right: count, trials: count }
const isPart = ({ right, trials }: { readonly right: number; readonly trials: number }) => right <= trials

const resultSchema = z.object({
  format: z.literal('nod-lab-result'),
  version: z.literal(1),
  model: short.min(1),
  modelLabel: short,
  provider: short,
  quantisation: short.nullable(),
  temperature: z.number().min(0).max(2).nullable(),
  promptHash: short,
  takesSchema: z.literal(true).exactOptional(),
  startedAt: z.number().min(0).max(8.64e15),
  probes: count,
  probeSource: z.enum(['own', 'file']),
  trialsPerProbe: z.int().min(1).max(1_000),
  strategies: z
    .array(
      z.object({
        strategy,
        exact: z.literal(true).exactOptional(),
        trials: count,
        held: count.exactOptional(),
        verdicts: z.partialRecord(z.enum(verdicts), count),
        kinds: z
          .array(z.object({ kind: z.enum(probeKinds), ...counts }).refine(isPart, 'has more right than tried'))
          .max(probeKinds.length),
        accuracy: share,
        allOfN: share,
        repairRate: share,
        tokensPerCall: z.number().min(0).nullable(),
        tokensEstimated: z.boolean(),
        medianFirstCallMs: z.number().min(0).nullable(),
      }),
    )
    .min(1)
    .max(2 * strategyIds.length)
    .refine((all) => new Set(all.map(armKey)).size === all.length, 'names a strategy twice'),
  comparisons: z
    .array(
      z.object({
        first: strategy,
        second: strategy,
        firstExact: z.literal(true).exactOptional(),
        secondExact: z.literal(true).exactOptional(),
        pairs: count,
        onlyFirst: count,
        onlySecond: count,
        p: part,
      }),
    )
    .max(2 * strategyIds.length ** 2),
  by: short.nullable(),
}) satisfies z.ZodType

/** Reads a result that someone else exported. Never throws; the error is a sentence. */
export function readResult(text: string): Result<LabResult, string> {
  const parsed = resultSchema.safeParse(parse(text))
  if (parsed.success) return ok(parsed.data as LabResult)
  const [issue] = parsed.error.issues
  const where = (issue?.path ?? []).join('.').slice(0, 100)
  return err(t('lab.import.not-a-result', { where, ...wrongForm(issue) }))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
