import { foreignIn } from '@/lib/base/foreign-text/foreign'
import { withParts, type SentencePart } from '@/lib/base/sentence-part'
import type { CallOutcome } from '@/lib/conversation/conversation'
import type { CallSegment } from '@/lib/strategies/segment'
import { t } from '@/lib/i18n/t'
import { failureSentence } from '../evidence/result-view'
import { quoteArguments } from './quote-arguments'

/** Characters of an error that stand in a sentence; the whole is one press away. */
const MAX_QUOTED = 400

/** What foreign code threw is quoted, as are the paths and texts of the call: they may say anything. */
export function failureParts(
  outcome: CallOutcome,
  call: CallSegment,
  { isCode }: { readonly isCode: boolean },
): readonly SentencePart[] {
  const sentence = failureSentence(outcome)
  // What is ours is no text of the code’s.
  if (!isCode || outcome.said)
    return foreignIn(sentence).flatMap((part) =>
      typeof part === 'string' ? quoteArguments(part, call.arguments) : [part],
    )
  const line = sentence.replaceAll(/\s+/g, ' ')
  const error = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line
  return withParts((part) => t('settled.failed', { error: part({ code: error }) }))
}
