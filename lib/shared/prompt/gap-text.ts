import { english } from '@/lib/base/text/locale'

/* What a model is told where messages of its chat are left out. */

/** They did not fit. `why`: what the chat is longer than. */
export const gapText = (count: number, why: string): string =>
  english.plural(count, {
    one: `(One earlier message of this chat is left out here: the chat is longer than ${why}.)`,
    other: `(${count} earlier messages of this chat are left out here: the chat is longer than ${why}.)`,
  })

/** The person left them out. `summary`: what stands in their place, '' for nothing. */
export function compactedText(count: number, summary: string): string {
  const left = english.plural(count, {
    one: 'One earlier message of this chat is left out here, as the user chose',
    other: `${count} earlier messages of this chat are left out here, as the user chose`,
  })
  return summary.trim() === '' ? `(${left}.)` : `(${left}. A summary stands in their place:)\n\n${summary.trim()}`
}
