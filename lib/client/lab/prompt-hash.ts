import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { ResultToWrite, ToolSpec, ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import { armsOf, formOfArm } from './trials'
import type { LabPlan } from './plan'
import type { AskedOf } from './play-trial'
import { armsOfResult, bestOfResult, type LabResult } from './lab-result'
import type { ImportedBest } from './measured-best'

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

const toldIn = (form: ReplyForm) => [
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
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(forms.map(toldIn))))).slice(0, 16)
}

/**
 * Why an imported result says nothing about the best strategy: `prompts` differ from this page's, or `none` is shown to
 * be better.
 */
type NoBest = 'prompts' | 'none'

/** The best strategy for its model according to an imported result, or why it names none. */
export function importedBest(result: LabResult): ImportedBest | NoBest {
  if (result.promptHash !== promptHash(armsOfResult(result), result)) return 'prompts'
  const strategy = bestOfResult(result)
  return strategy === null ? 'none' : { model: result.model, strategy, by: result.by ?? '' }
}

/** For all results; the latest measurements at the end. */
export const importedBests = (results: readonly LabResult[]): readonly ImportedBest[] =>
  results
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(importedBest)
    .filter((best) => typeof best !== 'string')
