export { brokenSentences, formatName, problemWords } from '@/lib/strategies/call-words'
export { quoteWords, unfinishedWords } from '@/lib/words/card-state'
