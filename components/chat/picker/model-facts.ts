import { numberWords } from '@/lib/base/text/locale'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { hereOf } from '@/lib/shared/conversation/message-tree'
import type { MeasuredBest } from '@/lib/client/lab/measured-best'
import type { ModelInfo } from '@/lib/shared/models/model'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'
import { t } from '@/lib/i18n/t'

/** What is known of a model, each a few words: its window, its price, how exact it can be, what suits it. */
export function factsOfModel(
  { contextTokens, price, exact }: ModelInfo,
  { best, isExact }: { readonly best: MeasuredBest | null; readonly isExact: boolean },
): readonly string[] {
  const facts: string[] = []
  if (contextTokens !== null) facts.push(t('picker.window', { tokens: contextTokens }))
  if (price) {
    const { perMillionIn, perMillionOut } = price
    facts.push(t('picker.price', { sent: numberWords(perMillionIn), written: numberWords(perMillionOut) }))
  }
  if (isExact || exact?.found === 'honoured') facts.push(t('picker.exact'))
  else if (exact?.takes === 'json-schema') facts.push(t('picker.schema', { strategy: envelopeStrategy }))
  else if (exact?.takes === 'grammar' && exact.found === undefined) facts.push(t('picker.grammar'))
  if (best) facts.push(t('picker.best-with', best))
  return facts
}

/** The last reply of a model in this branch that came to an end by itself, well or not; null: there is none. */
export const lastEnded = (path: readonly ChatRow[], model: string): AssistantMessage | null =>
  hereOf(path).findLast(
    (row): row is AssistantMessage =>
      row.role === 'assistant' && row.model === model && (row.outcome === 'finished' || row.outcome === 'failed'),
  ) ?? null

/** When it ended, epoch milliseconds; when it was asked for where nobody looked at a clock. */
export const endedAt = ({ createdAt, pace }: AssistantMessage): number => createdAt + (pace?.ms ?? 0)
