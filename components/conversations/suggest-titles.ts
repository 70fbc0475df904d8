import type { Message } from '@/lib/shared/conversation/conversation'

const mostTitles = 4
const mostCharacters = 60

/** The first words of a text, up to a sentence's end, on one line. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const sentence = /^.*?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line
  const plain = sentence.replace(/[.。]$/u, '')
  if (plain.length <= mostCharacters) return plain
  const cut = plain.slice(0, mostCharacters)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), mostCharacters - 20))}…`
}

const headingOf = (text: string): string | null => /^#{1,3} +(\S.*)$/m.exec(text)?.[1]?.replace(/[*_`#]/g, '') ?? null

/**
 * Titles that the open branch itself offers: headings of its replies, then what the user asked, newest first. No model is
 * asked.
 */
export function suggestTitles(path: readonly Message[], current: string): readonly string[] {
  const newest = path.toReversed()
  const headings = newest.flatMap((row) =>
    row.role === 'assistant' && row.outcome === 'finished' ? (headingOf(row.text.slice(0, 20_000)) ?? []) : [],
  )
  const asked = newest.flatMap((row) => (row.role === 'user' && row.text.trim() !== '' ? row.text.slice(0, 500) : []))
  const titles = new Set([...headings, ...asked].map(shorten).filter((title) => title.length > 2))
  titles.delete(current)
  return [...titles].slice(0, mostTitles)
}
