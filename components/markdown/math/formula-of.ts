/*
 * Decides whether a text between marks is a formula. The marks have other uses too: "$5 and $10" is money,
 * "$HOME/$USER" shell variables, "\[sic\]" escaped brackets.
 */

export interface WrittenFormula {
  /** LaTeX, without its marks. */
  readonly tex: string
  /** On lines of its own. */
  readonly display: boolean
  /** The text after it on its last line. */
  readonly rest: string
}

const marks = [
  { open: '$$', close: '$$', display: true },
  { open: '\\[', close: '\\]', display: true },
  { open: '\\(', close: '\\)', display: false },
  { open: '$', close: '$', display: false },
] as const

/** The formula at the start of `raw`, including its marks; null if there is none or it is not finished. */
export function formulaOf(raw: string): WrittenFormula | null {
  const mark = marks.find(({ open }) => raw.startsWith(open))
  if (!mark || raw.startsWith('$$$')) return null
  const { open, close, display } = mark
  const end = closing(raw, open.length, close)
  if (end < 0) return null
  const tex = raw.slice(open.length, end)
  const rest = raw.slice(end + close.length).trim()
  return isWords(tex) || (open === '\\[' && isAside(tex)) ? null : { tex: tex.trim(), display, rest }
}

/** Unescapes marks that are not a formula, as Markdown does: `\[sic\]` becomes brackets. */
export function unescapedMarks(raw: string): string {
  const pair = /^\\([[(])([^]*)\\([\])])$/.exec(raw)
  return pair ? `${pair[1] ?? ''}${pair[2] ?? ''}${pair[3] ?? ''}` : raw
}

/** Skips escaped letters: `\\]` ends a matrix row, not a formula. */
function closing(raw: string, from: number, close: string): number {
  for (let at = from; at < raw.length; at++) {
    if (raw.startsWith(close, at)) return at
    if (raw[at] === '\\') at += 1
  }
  return -1
}

const strong = /[\\^_{}=]/
const sign = /[\\^_{}=<>+*|/\d]/
const word = /\p{L}{2,}/u
const wordsApart = /(?:^|\s)\p{L}{2,}(?:\s|$)/u
const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** Empty, or the words of a sentence. */
const isWords = (tex: string): boolean =>
  /^[\s\p{Pd}.,;:/]*$/u.test(tex) ||
  (!sign.test(tex) && ((/\s/.test(tex) && wordsApart.test(tex)) || unspaced.test(tex)))

/** `\[1\]`, `\[x\]`, `\[TODO\]`: escaped brackets inside a line of text. */
const isAside = (tex: string): boolean => !tex.includes('\n') && /^(?:\d+|\p{L}{2,}|[xX])$/u.test(tex)

/** "$5 (or 4$)": an amount followed by words. */
const isMoney = (tex: string): boolean => /^[\d.,]/.test(tex) && !strong.test(tex) && word.test(tex)

/** "$HOME/$USER", "$A$B": another name follows directly. */
const isShell = (tex: string, next: string): boolean =>
  /^[\p{L}_{(]/u.test(next) &&
  (/[/:=,;.+\-\p{Po}]$/u.test(tex) || (/^[A-Z_][A-Z\d_]*$/.test(tex) && /^[A-Z_{(]/.test(next)))

/** Whether `$tex$` is a formula; `next` is the character after it, '' at the end of the text. */
export const dollarsHold = (tex: string, next: string): boolean =>
  !/^\s|\s$/.test(tex) && !/^\d/.test(next) && !isWords(tex) && !isMoney(tex) && !isShell(tex, next)

/** A larger formula takes too long to render or too much memory: 200 nested fractions crash a browser's process. */
export const formulaLimits = { chars: 4_000, depth: 60 } as const

const nesting = /\\[{}]|[{}]|\\(?:left|right|begin|end)(?![a-zA-Z])|\\[a-zA-Z]+/g
/** These take the next token without braces, so a sequence of them nests as well. */
const nests = new Set([
  '\\frac',
  '\\dfrac',
  '\\tfrac',
  '\\cfrac',
  '\\sqrt',
  '\\binom',
  '\\overline',
  '\\hat',
  '\\vec',
  '\\text',
])

/** Whether `tex` is too large to render. */
export function isTooMuch(tex: string): boolean {
  if (tex.length > formulaLimits.chars) return true
  let depth = 0
  let row = 0
  for (const [mark] of tex.matchAll(nesting)) {
    if (mark === '{' || mark === '\\left' || mark === '\\begin') depth += 1
    else if (mark === '}' || mark === '\\right' || mark === '\\end') depth -= 1
    row = nests.has(mark) ? row + 1 : mark === '}' ? 0 : row
    if (Math.max(depth, row) > formulaLimits.depth) return true
  }
  return false
}

/*
 * Formulas over several lines that may contain blank lines, like a code block:
 *
 *   \[                      $$
 *   a = b                   \begin{aligned} …
 *
 *   c = d                   \end{aligned}
 *   \]                      $$
 *
 * The opening mark is alone on its line or before an environment. Its closing mark ends its line, but words may follow
 * a bracket. Without a closing mark within `maxFenceChars` there is no formula, so that two dollars in a text do not
 * swallow the rest.
 */

/** The longest formula; see `formulaLimits`. */
export const maxFenceChars = 4_000

const opener = /(\$\$|\\\[)[ \t]*(?:\\begin\{[^\n]*)?(?=\r?(?:\n|$))/y
/** The first closing mark ends it. */
const closers = { $$: /\$\$/g, '\\[': /(?<!\\)\\\]/g } as const
/** What may follow two closing dollars. Words may follow a bracket. */
const lineEnd = /(?:[ \t]*[.,;:])?[ \t]*(?=\r?(?:\n|$))/y

type Opener = keyof typeof closers

/** The end of the formula that starts at `at`; 'open' if it may still come; null if none starts there. */
type FenceEnd = number | 'open' | null

/** Finds ends in one text. Called from start to end, it reads each character only a few times. */
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
