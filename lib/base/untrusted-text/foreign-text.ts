import { type TextKind, type Mark, type MarkKind, codePointLabel } from './mark'
import { partsOf, visible, type ForeignPart } from './parts'
import { belongsToEmoji } from './hidden'
import { lookAlikes } from './look-alikes'
import { marksButTwins } from './marks-but-twins'

/** The text in pieces: what shows, and a mark for all that does not. `marks` are those of `marksOf(text, reading)`. */
export const foreignParts = (text: string, reading: TextKind, marks = marksOf(text, reading)): readonly ForeignPart[] =>
  partsOf(text, reading, marks)

/** The text with its marks in it, for places that take plain text only: titles, labels, messages. */
export const visibleText = (text: string, reading: TextKind): string => visible(foreignParts(text, reading))

/** Foreign words inside of a sentence of the app: in quotation marks, on one line, cut. */
export function quoted(text: string, maxLength = 40): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text
  // A quotation mark of theirs ends no quotation of ours.
  return `“${visibleText(cut, 'name').replaceAll('”', '⟨U+201D⟩')}”`
}

/** What no new name may hold: it would look like another name, or turn round what stands beside it. */
const barred: ReadonlySet<MarkKind> = new Set(['invisible', 'direction', 'control', 'line-end'])

const barredMarks = (name: string): readonly Mark[] =>
  marksOf(name, 'name').filter(({ kind, start }) => barred.has(kind) && !belongsToEmoji(name, start))

/** The first character that a new name may not hold, as "U+200B"; null where there is none. */
export function barredInName(name: string): string | null {
  const [mark] = barredMarks(name)
  return mark ? mark.label.replace(/ × .*/, '') : null
}

/** A name or path without what no new name may hold. A name of nothing else becomes "file". */
export function cleanName(path: string): string {
  let cleaned = ''
  let at = 0
  for (const { start, end } of barredMarks(path)) {
    cleaned += path.slice(at, start)
    at = end
  }
  if (at === 0 && cleaned === '') return path
  const before = path.split('/')
  const parts = (cleaned + path.slice(at)).split('/')
  // What is left may be no name at all, or one that leads elsewhere.
  return parts.map((part, index) => (/^\s*\.{0,2}\s*$/.test(part) && part !== before[index] ? 'file' : part)).join('/')
}

/**
 * Everything in a text that does not show what it is, in the order of the text; no two overlap. CRLF is a plain line end;
 * what ends lines in some languages only is marked, see `lines.ts` for text that is shown by lines.
 */
export function marksOf(text: string, reading: TextKind): readonly Mark[] {
  const marks = [...marksButTwins(text, reading)]
  const taken = new Set(marks.map(({ start }) => start))
  for (const { start, end, letter } of lookAlikes(text, reading)) {
    if (taken.has(start)) continue
    marks.push({ kind: 'look-alike', start, end, count: 1, label: codePointLabel(letter.codePointAt(0) ?? 0) })
  }
  return marks.toSorted((a, b) => a.start - b.start)
}
