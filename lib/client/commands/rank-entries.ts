import { matchScore, searchTermsOf } from './match-score'

/** Something that can be looked for; both texts folded (`foldText`). */
export interface Searchable<Group extends string> {
  readonly group: Group
  /** Its name. */
  readonly text: string
  /** What else finds it, with less weight. */
  readonly also: string
  /** It was found elsewhere for these words, as a message for what it says: it stands without a match of its own. */
  readonly found?: true
}

export interface RankedGroup<Group extends string, Entry> {
  readonly group: Group
  readonly entries: readonly Entry[]
  /** How many more of this group fit. */
  readonly more: number
}

/** What stands in the name counts more than what stands beside it. */
const alsoWeight = 0.6

/**
 * What fits, best first, in groups with the best first; as much of each group as `most` says. Where nothing is typed all fits, in its
 * own order.
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
  // A word may stand in the name and another one beside it.
  return own > 0 || also === '' ? own : matchScore(`${text} ${also}`, words) * alsoWeight
}
