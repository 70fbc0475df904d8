import { aCallOf } from '@/lib/strategies/call-words'
import type { CallSegment } from '@/lib/strategies/segment'
import type { QuotePlace } from '@/lib/client/message-parts'
import { quoteWords, stateSentence } from '@/lib/words/card-state'

export { brokenSentences, problemWords } from '@/lib/strategies/call-words'
export { unfinishedWords } from '@/lib/words/card-state'

/** Why a quoted or foreign call is no call here. */
export function inactiveCallWords(call: CallSegment, strategy: string, place: QuotePlace): string {
  if (call.standing === 'foreign') {
    return stateSentence('card-state.foreign', { dialect: aCallOf(call.dialect), strategy })
  }
  return quoteWords[place]
}
