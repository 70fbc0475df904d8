import type { ReplyOutcome } from '@/lib/conversation/conversation'
import { aCallOf } from '@/lib/strategies/call-words'
import type { CallSegment } from '@/lib/strategies/segment'
import type { QuotePlace } from '@/lib/client/message-parts'

export { brokenSentences, problemWords } from '@/lib/strategies/call-words'

/** Why nothing of an unfinished reply may run. */
export const unfinishedWords: Readonly<Record<Exclude<ReplyOutcome, 'finished'>, string>> = {
  stopped: 'You stopped the reply before it was finished, so nothing in it can run.',
  failed: 'The model stopped answering before the reply was finished, so nothing in it can run.',
  length: 'The reply was cut off at the model’s length limit, so nothing in it can run.',
  interrupted: 'The server stopped before the reply was finished, so nothing in it can run.',
}

const quoteWords: Readonly<Record<QuotePlace, string>> = {
  block: 'example in a code block, not a call',
  aside: 'quoted in the text, not a call',
  prose: 'quoted in the text, not a call',
  thought: 'only in its thoughts, not a call',
}

/** Why a quoted or foreign call is no call here. */
export function inactiveCallWords(call: CallSegment, strategy: string, place: QuotePlace): string {
  if (call.standing === 'foreign') {
    return `looks like ${aCallOf(call.dialect)}, not ${strategy}`
  }
  return quoteWords[place]
}
