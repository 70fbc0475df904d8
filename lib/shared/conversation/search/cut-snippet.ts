import { matchesOfTerms, type SearchTerm, type TermMatch } from './search-words'

/** A piece of a snippet; `hit`: it is what was looked for. */
export interface SnippetPart {
  readonly text: string
  readonly hit?: true
}

/** UTF-16 units, about two lines of the list. */
const LENGTH = 140
const BEFORE = 36

/** The piece of a text that holds the most of what was looked for, on one line. Null: not all terms are in the text. */
export function cutSnippet(text: string, terms: readonly SearchTerm[]): readonly SnippetPart[] | null {
  const places = matchesOfTerms(text, terms)
  if (terms.length === 0 || new Set(places.map(({ term }) => term)).size < terms.length) return null
  const best = bestFirst(places)
  const from = wordStart(text, Math.max(0, best.from - BEFORE), best.from)
  const to = Math.min(text.length, from + LENGTH)
  const parts: SnippetPart[] = []
  const add = (piece: string, hit: boolean) => {
    const line = piece.replaceAll(/\s+/g, ' ')
    if (line !== '') parts.push(hit ? { text: line, hit } : { text: line })
  }
  if (from > 0) add('…', false)
  let at = from
  for (const place of places) {
    if (place.from < at || place.to > to) continue
    add(text.slice(at, place.from), false)
    add(text.slice(place.from, place.to), true)
    at = place.to
  }
  const end = safeEnd(text, Math.max(to, at))
  add(text.slice(at, end), false)
  if (end < text.length) add('…', false)
  return joined(parts)
}

/** The place from which on the most different terms follow within a snippet. */
function bestFirst(places: readonly TermMatch[]): TermMatch {
  let best = places[0] as TermMatch
  let most = 0
  for (const [at, place] of places.entries()) {
    const seen = new Set<number>()
    for (let next = at; next < places.length && (places[next]?.to ?? 0) <= place.from + LENGTH - BEFORE; next += 1) {
      seen.add(places[next]?.term ?? -1)
    }
    if (seen.size > most) [best, most] = [place, seen.size]
    if (most > 0 && at > 2_000) break
  }
  return best
}

/** Not in the middle of a word, where there is a space before. */
function wordStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0
  const space = text.slice(from, latest).search(/\s/)
  const start = space < 0 ? from : from + space + 1
  return isLow(text, start) ? start + 1 : start
}

const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
const safeEnd = (text: string, at: number): number => (isLow(text, at) ? at - 1 : at)

const joined = (parts: readonly SnippetPart[]): readonly SnippetPart[] =>
  parts.reduce<SnippetPart[]>((all, part) => {
    const last = all.at(-1)
    if (last && last.hit === part.hit) all[all.length - 1] = { ...last, text: last.text + part.text }
    else all.push(part)
    return all
  }, [])
