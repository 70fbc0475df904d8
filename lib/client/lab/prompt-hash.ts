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

// Who hashes a lab with replies that a schema binds has met their form.
toolContextBuilder.learnWhole(envelopeReplies)

/** One tool that stands for all: of prompts only their own words matter here. */
const anyTool: ToolSpec = {
  name: 'example_tool',
  description: '',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

/** How results come back is told, too. */
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
 * Of everything that the arms of a lab tell models, of tools and of results: results of other prompts are of something else. Sixteen
 * letters of hex.
 */
export function promptHash(plan: Pick<LabPlan, 'strategies' | 'exact'>, asked: Pick<AskedOf, 'takesSchema'>): string {
  const forms = [...new Set(armsOf(plan).map((arm) => formOfArm(arm, asked)))].toSorted()
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(forms.map(toldIn))))).slice(0, 16)
}

/** Why an imported result says nothing of what is best: `prompts` were others than this page's, or `none` is shown to be better. */
type NoBest = 'prompts' | 'none'

/** What a result that someone gave says to be the best for its model, or why it says nothing. */
export function importedBest(result: LabResult): ImportedBest | NoBest {
  if (result.promptHash !== promptHash(armsOfResult(result), result)) return 'prompts'
  const strategy = bestOfResult(result)
  return strategy === null ? 'none' : { model: result.model, strategy, by: result.by ?? '' }
}

/** Of all results, those that were measured last at the end. */
export const importedBests = (results: readonly LabResult[]): readonly ImportedBest[] =>
  results
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(importedBest)
    .filter((best) => typeof best !== 'string')
