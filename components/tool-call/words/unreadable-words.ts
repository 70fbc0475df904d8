import type { CallRecord } from '@/lib/conversation/conversation'

type Part = NonNullable<CallRecord['unreadable']>[number]

const partWords: Readonly<Record<Part, string>> = {
  decision: 'what was decided on it',
  outcome: 'what it gave',
  stop: 'how it was stopped',
  release: 'what was said about its result',
}

const list = new Intl.ListFormat('en')

/** What of a call's row is lost to the reader, as a sentence on its card. */
export const unreadableWords = (parts: readonly Part[]): string =>
  `What is stored of this call is damaged and can’t be read any more: ${list.format(parts.map((part) => partWords[part]))}.`
