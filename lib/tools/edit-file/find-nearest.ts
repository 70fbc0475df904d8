/** The place of a text that is most like what was looked for. */
export interface NearestPlace {
  /** From 1. */
  readonly line: number
  /** As it stands there, whole lines, at most `maxCharacters`. */
  readonly text: string
  /** Nothing but white space differs. */
  readonly onlySpaces: boolean
}

const maxLines = 20_000
const maxLineCharacters = 200
const maxCharacters = 600
/** Lines of the search that are compared, and candidates that are compared whole. */
const maxSearchLines = 20
const maxCandidates = 12
/** Below this share of common letter pairs, two lines have nothing to do with each other. */
const minLikeness = 0.5

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim()

function pairsOf(line: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 1 < line.length; at++) {
    const pair = line.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** The share of letter pairs that two lines have in common (Dice): 1 for the same line, 0 for strangers. */
function likeness(a: string, b: string, pairs: ReadonlyMap<string, number>): number {
  if (a === b) return 1
  if (a.length < 2 || b.length < 2) return 0
  let common = 0
  const left = new Map(pairs)
  for (let at = 0; at + 1 < b.length; at++) {
    const pair = b.slice(at, at + 2)
    const count = left.get(pair) ?? 0
    if (count > 0) {
      left.set(pair, count - 1)
      common += 1
    }
  }
  return (2 * common) / (a.length + b.length - 2)
}

/**
 * Where `search` may have been meant: the lines most like its own, by its longest line first. Null when nothing is like
 * it. Looks at the first 20,000 lines and 200 characters of each.
 */
export function findNearest(text: string, search: string): NearestPlace | null {
  const lines = text.split(/\r?\n/, maxLines)
  const clean = lines.map((line) => collapse(line.slice(0, maxLineCharacters)))
  const wanted = search.split(/\r?\n/)
  // Line breaks around the block are often one too many.
  while (wanted.length > 1 && wanted[0]?.trim() === '') wanted.shift()
  while (wanted.length > 1 && wanted.at(-1)?.trim() === '') wanted.pop()
  const parts = wanted.slice(0, maxSearchLines).map((line) => {
    const own = collapse(line.slice(0, maxLineCharacters))
    return { own, pairs: pairsOf(own) }
  })
  const anchor = parts.reduce((best, part, at) => (part.own.length > (parts[best]?.own.length ?? 0) ? at : best), 0)
  const { own = '', pairs = new Map<string, number>() } = parts[anchor] ?? {}
  if (own === '') return null
  const candidates = clean
    .map((line, at) => ({ start: at - anchor, like: likeness(own, line, pairs) }))
    .filter(({ like, start }) => like >= minLikeness && start >= 0)
    .toSorted((a, b) => b.like - a.like)
    .slice(0, maxCandidates)
  let best: { readonly start: number; readonly like: number } | null = null
  for (const { start } of candidates) {
    const sum = parts.reduce((total, part, at) => total + likeness(part.own, clean[start + at] ?? '', part.pairs), 0)
    const like = sum / parts.length
    if (like >= minLikeness && (best === null || like > best.like)) best = { start, like }
  }
  if (best === null) return null
  const place = lines.slice(best.start, best.start + wanted.length).join('\n')
  return {
    line: best.start + 1,
    text: place.length > maxCharacters ? `${place.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')}…` : place,
    onlySpaces: collapse(place) === collapse(search),
  }
}
