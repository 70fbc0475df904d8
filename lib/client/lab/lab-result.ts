import { z } from 'zod'
import {
  strategyIds,
  type StrategyId,
  type ResultToWrite,
  type ToolSpec,
  type ReplyForm,
} from '@/lib/protocols/types/tool-context-def'
import { wrongForm } from '@/lib/i18n/wrong-form'
import { t } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import { armKey, armsOf, formOfArm } from './trials'
import type { LabSetup } from './lab-runner'
import { probeKinds } from './probe'
import { bestOf, type Comparison, type LabReport, type StrategyReport } from './report'
import { verdicts } from './verdict/judge'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import type { LabPlan } from './plan'
import type { AskedOf } from './play-trial'
import type { ImportedBest } from './measured-best'

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

// Hashing a lab with schema-constrained replies needs their form.
toolContextBuilder.learnWhole(envelopeReplies)

/** One tool represents all: only the prompts' own text matters here. */
const anyTool: ToolSpec = {
  name: 'example_tool',
  description: '',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

/** The prompt also describes how results are returned. */
const anyResults: readonly ResultToWrite[] = [
  { id: 'call_1', name: anyTool.name, status: 'completed', result: { text: 'a' } },
  { id: 'call_2', name: anyTool.name, status: 'error', result: 'a' },
]
const BOUNDARY = 'boundary1'

const promptTextsIn = (form: ReplyForm) => [
  form,
  ...toolContextBuilder.promptParts(form, [anyTool]).map(({ text }) => text),
  toolContextBuilder.get(form).formatResults(anyResults, BOUNDARY).text,
]

/**
 * A hash of all prompt texts of a lab's arms, for tools and results: results with other prompts are not comparable.
 * Sixteen hex digits.
 */
export function promptHash(plan: Pick<LabPlan, 'strategies' | 'exact'>, asked: Pick<AskedOf, 'takesSchema'>): string {
  const forms = [...new Set(armsOf(plan).map((arm) => formOfArm(arm, asked)))].toSorted()
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(forms.map(promptTextsIn))))).slice(0, 16)
}

/**
 * Why an imported result says nothing about the best strategy: `prompts` differ from this page's, or `none` is shown to
 * be better.
 */
type NoBest = 'prompts' | 'none'

/** The best strategy for its model according to an imported result, or why it names none. */
export function importedBest(result: LabResult): ImportedBest | NoBest {
  if (result.promptHash !== promptHash(armsOfResult(result), result)) return 'prompts'
  const best = bestOfResult(result)
  return best === null ? 'none' : { model: result.model, strategy: best, by: result.by ?? '' }
}

/** For all results; the latest measurements at the end. */
export const importedBests = (results: readonly LabResult[]): readonly ImportedBest[] =>
  results
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(importedBest)
    .filter((best) => typeof best !== 'string')
