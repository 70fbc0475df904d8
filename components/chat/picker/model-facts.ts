import { numberWords } from '@/lib/base/locale'
import type { ChatRow } from '@/lib/conversation/chat-row'
import { hereOf } from '@/lib/conversation/chat-row'
import type { MeasuredBest } from '@/lib/lab/measured-best'
import type { ModelInfo } from '@/lib/models/model'
import { wholeStrategy } from '@/lib/strategies/whole-reply'
import { sayKept } from '@/lib/words/kept-words'
import { pickerSentence } from '@/lib/words/picker'

/** What is known of a model, each a few words: its window, its price, how exact it can be, what suits it. */
export function factsOfModel(
  { contextTokens, price, exact }: ModelInfo,
  { best, isExact }: { readonly best: MeasuredBest | null; readonly isExact: boolean },
): readonly string[] {
  const facts: string[] = []
  if (contextTokens !== null) facts.push(pickerSentence('picker.window', { tokens: contextTokens }))
  if (price) {
    const { perMillionIn, perMillionOut } = price
    facts.push(pickerSentence('picker.price', { sent: numberWords(perMillionIn), written: numberWords(perMillionOut) }))
  }
  if (isExact || exact?.found === 'honoured') facts.push(pickerSentence('picker.exact'))
  else if (exact?.takes === 'json-schema') facts.push(pickerSentence('picker.schema', { strategy: wholeStrategy }))
  else if (exact?.takes === 'grammar' && exact.found === undefined) facts.push(pickerSentence('picker.grammar'))
  if (best) facts.push(pickerSentence('picker.best-with', best))
  return facts
}

/** Why the last reply of a model in this branch failed; null: it did not, or there is none. */
export function lastFailure(path: readonly ChatRow[], model: string): string | null {
  const last = hereOf(path).findLast((row) => row.role === 'assistant' && row.model === model)
  return last?.role === 'assistant' && last.outcome === 'failed' && last.failure ? sayKept(last.failure) : null
}
