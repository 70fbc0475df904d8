import type { CallRecord } from '@/lib/conversation/conversation'
import { lostWords, stateSentence } from '@/lib/words/card-state'

type Part = NonNullable<CallRecord['unreadable']>[number]

/** What of a call's row is lost to the reader, as a sentence on its card. */
export const unreadableWords = (parts: readonly Part[]): string =>
  stateSentence('card-state.lost', { parts: parts.map((part) => lostWords[part]) })
