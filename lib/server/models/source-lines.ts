import type { Refusal } from '@/lib/base/app-error'
import type { ModelSource } from './registry'

/** What the operator reads at the start: a line a source, then the mistakes. `! ` begins what needs a look. */
export function sourceLines(sources: readonly ModelSource[], mistakes: readonly Refusal[]): readonly string[] {
  return [...sources.map(lineOf), ...mistakes.map(({ message }) => `! ${message}`)]
}

function lineOf({ label, models, problem }: ModelSource): string {
  if (problem !== null) return `! ${problem.message}`
  const [first, ...others] = models
  if (first?.simulated === true) return `${first.label}: built in`
  if (first === undefined) return `${label}: no models found`
  return `${label}: ${others.length === 0 ? '1 model' : `${models.length} models`}`
}
