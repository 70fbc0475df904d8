import { armsOfResult, bestOfResult, type LabResult } from './lab-result'
import { promptHash } from './prompt-hash'
import type { ImportedBest } from './measured-best'

/** Why an imported result says nothing of what is best: `prompts` were others than this page's, or `none` is shown to be better. */
export type NoBest = 'prompts' | 'none'

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
