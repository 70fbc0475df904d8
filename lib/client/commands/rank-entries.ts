const isWordStart = (text: string, at: number): boolean => at === 0 || /[\s/_.:·-]/.test(text[at - 1] ?? '')

/** The best position of a word in a text: its beginning, the beginning of a word, anywhere. 0: nowhere. */
function placeScore(text: string, word: string): number {
  let best = 0
  for (let at = text.indexOf(word); at >= 0 && best < 3; at = text.indexOf(word, at + 1)) {
    best = Math.max(best, at === 0 ? 3 : isWordStart(text, at) ? 2 : 1)
  }
  return best
}

/** "nc" for "New chat": the first letters of words, in order. */
function initialScore(text: string, word: string): number {
  if (word.length < 2) return 0
  let found = 0
  for (let at = 0; at < text.length && found < word.length; at++) {
    if (isWordStart(text, at) && text[at] === word[found]) found++
  }
  return found === word.length ? 0.5 : 0
}

/** Normalizes text for comparison: wide and narrow, upper and lower case letters are the same. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The words of the typed text, to be searched one by one. */
export const searchTermsOf = (typed: string): readonly string[] =>
  foldText(typed)
    .split(/\s+/)
    .filter((word) => word !== '')

/**
 * How well a text matches the words; 0: it does not contain every word. Both folded (`foldText`). At equal positions
 * shorter texts win. Chinese words need no spaces between them: they are found anywhere.
 */
export function matchScore(text: string, words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    const score = placeScore(text, word) || initialScore(text, word)
    if (score === 0) return 0
    sum += score
  }
  return sum / Math.max(1, words.length) + 1 / (text.length + 2)
}

/** An entry that can be searched; both texts folded (`foldText`). */
export interface Searchable<Group extends string> {
  readonly group: Group
  /** Its name. */
  readonly text: string
  /** Other text that finds it, with less weight. */
  readonly also: string
  /** It was found elsewhere for these words, like a message by its content: it is listed without a match of its own. */
  readonly found?: true
}

export interface RankedGroup<Group extends string, Entry> {
  readonly group: Group
  readonly entries: readonly Entry[]
  /** How many more of this group match. */
  readonly more: number
}

/** A match in the name counts more than one beside it. */
const alsoWeight = 0.6

/**
 * The matches, best first, in groups with the best first; at most `most` of each group. If nothing is typed everything
 * matches, in its own order.
 */
export function rankEntries<Group extends string, Entry extends Searchable<Group>>(
  entries: readonly Entry[],
  typed: string,
  most: Readonly<Record<Group, number>>,
): readonly RankedGroup<Group, Entry>[] {
  const words = searchTermsOf(typed)
  const groups = new Map<Group, { entry: Entry; score: number }[]>()
  for (const entry of entries) {
    const score = words.length === 0 || entry.found ? 0.01 : scoreOf(entry, words)
    if (score === 0) continue
    const known = groups.get(entry.group)
    if (known) known.push({ entry, score })
    else groups.set(entry.group, [{ entry, score }])
  }
  const ranked = [...groups].map(([group, fitting]) => {
    // Sorting keeps the order of equals.
    const sorted = words.length === 0 ? fitting : fitting.toSorted((one, other) => other.score - one.score)
    const shown = sorted.slice(0, most[group])
    return {
      best: shown[0]?.score ?? 0,
      shown: { group, entries: shown.map(({ entry }) => entry), more: fitting.length - shown.length },
    }
  })
  return ranked.toSorted((one, other) => other.best - one.best).map(({ shown }) => shown)
}

const scoreOf = ({ text, also }: Searchable<string>, words: readonly string[]): number => {
  const own = matchScore(text, words)
  // One word may be in the name and another one beside it.
  return own > 0 || also === '' ? own : matchScore(`${text} ${also}`, words) * alsoWeight
}
