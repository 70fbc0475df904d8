/*
 * Formulas over several lines that may hold blank ones, as a code block does:
 *
 *   \[                      $$
 *   a = b                   \begin{aligned} …
 *
 *   c = d                   \end{aligned}
 *   \]                      $$
 *
 * The opener stands alone on its line, or before an environment; its line ends where the formula ends, but for words behind a
 * bracket. One that nothing ends within `maxFenceChars` is no formula: two dollars in a text must not take the rest of it.
 */

/** No formula is longer; see `formulaLimits`. */
export const maxFenceChars = 4_000

const opener = /(\$\$|\\\[)[ \t]*(?:\\begin\{[^\n]*)?(?=\r?(?:\n|$))/y
/** The first one ends it, or nothing does. */
const closers = { $$: /\$\$/g, '\\[': /(?<!\\)\\\]/g } as const
/** What may stand behind two dollars. Behind a bracket: words. */
const lineEnd = /(?:[ \t]*[.,;:])?[ \t]*(?=\r?(?:\n|$))/y

type Opener = keyof typeof closers

/** Where the formula that begins at `at` ends; 'open': its end may still come; null: none begins there. */
export type FenceEnd = number | 'open' | null

/** Finds ends in one text. Asked from its beginning to its end, it looks at each letter a few times at most. */
export function createFenceFinder(text: string): (at: number) => FenceEnd {
  const seen: Partial<Record<Opener, { readonly from: number; readonly at: number }>> = {}
  const closerFrom = (mark: Opener, from: number): number => {
    const before = seen[mark]
    if (before && from >= before.from && from <= before.at) return before.at
    const pattern = closers[mark]
    pattern.lastIndex = from
    const at = pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY
    seen[mark] = { from, at }
    return at
  }
  return (at) => {
    if (text[at] !== '$' && text[at] !== '\\') return null
    opener.lastIndex = at
    const mark = opener.exec(text)?.[1] as Opener | undefined
    if (mark === undefined) return null
    const closer = closerFrom(mark, at + 2)
    if (closer - at > maxFenceChars) return text.length - at <= maxFenceChars ? 'open' : null
    lineEnd.lastIndex = closer + 2
    const behind = lineEnd.exec(text)?.[0]
    if (behind !== undefined) return closer + 2 + behind.length
    if (mark === '$$') return null
    const end = text.indexOf('\n', closer)
    return end < 0 ? text.length : end
  }
}
