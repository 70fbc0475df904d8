import { type TextKind, type Mark, type MarkKind, codePointLabel } from './mark'
import { belongsToEmoji } from './hidden'
import { lookAlikes } from './look-alikes'
import { marksButTwins } from './marks-but-twins'

/** A piece of a foreign text as it is shown. The pieces' `text` joined is the text itself, so that nothing is lost. */
export type ForeignPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Letters that are written from right to left, amid code or a name: they turn nothing beside them. */
  | { readonly kind: 'rtl'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string; readonly mark: Mark }

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu

/** The text in pieces: what shows, and a mark for all that does not. `marks` are those of the text in that reading. */
function partsOf(text: string, reading: TextKind, marks: readonly Mark[]): readonly ForeignPart[] {
  const parts: ForeignPart[] = []
  let at = 0
  for (const mark of marks) {
    addPlain(parts, text.slice(at, mark.start), reading)
    parts.push({ kind: 'mark', text: text.slice(mark.start, mark.end), mark })
    at = mark.end
  }
  addPlain(parts, text.slice(at), reading)
  return parts
}

function addPlain(parts: ForeignPart[], text: string, reading: TextKind): void {
  if (text === '') return
  let at = 0
  if (reading !== 'prose') {
    for (const { 0: run, index } of text.matchAll(rightToLeft)) {
      if (index > at) parts.push({ kind: 'text', text: text.slice(at, index) })
      parts.push({ kind: 'rtl', text: run })
      at = index + run.length
    }
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
}

/** What a mark shows: `⟨U+202E⟩`; a letter that passes for another one is before it. */
const markText = (text: string, mark: Mark): string =>
  mark.kind === 'look-alike' ? `${text}⟨${mark.label}⟩` : `⟨${mark.label}⟩`

/** The pieces as plain text, with their marks in it. */
export const visible = (parts: readonly ForeignPart[]): string =>
  parts.map((part) => (part.kind === 'mark' ? markText(part.text, part.mark) : part.text)).join('')

/*
 * Where lines end is for the language to say: a lone CR ends a comment in JavaScript and Python, U+2028 in JavaScript
 * alone, a form feed in CSS. Where nothing is known the most generous rule counts, so that nothing hides in a line.
 */

const onlyLf = /\r\n|\n/g
const withCr = /\r\n|\n|\r/g
const withSeparators = /\r\n|[\n\r\u2028\u2029]/g
const withNextLine = /\r\n|[\n\r\u0085\u2028\u2029]/g
const withFormFeed = /\r\n|[\n\r\f]/g

const rules = new Map(
  (
    [
      [onlyLf, 'bash sh shell zsh go rb ruby rs rust c h cpp c++ jsonl'],
      [withCr, 'py python java kt kotlin php swift sql xml html htm svg yaml yml toml ini md markdown json csv'],
      [withFormFeed, 'css'],
      [withNextLine, 'cs csharp c#'],
    ] as const
  ).flatMap(([rule, names]) => names.split(' ').map((name): [string, RegExp] => [name, rule])),
)

interface TextLine {
  readonly text: string
  /** What ends it, where that is neither LF nor CRLF nor the end of the text: "CR", "U+2028". */
  readonly end: string | null
}

/** The lines as the language counts them, without what ends them. Joined with that they are the text. */
export function splitLines(text: string, language?: string): readonly TextLine[] {
  const rule = rules.get(language?.toLowerCase() ?? '') ?? withSeparators
  const lines: TextLine[] = []
  let at = 0
  for (const { 0: end, index } of text.matchAll(rule)) {
    lines.push({ text: text.slice(at, index), end: unusualEnd(end) })
    at = index + end.length
  }
  lines.push({ text: text.slice(at), end: null })
  return lines
}

function unusualEnd(end: string): string | null {
  if (end === '\n' || end === '\r\n') return null
  if (end === '\r') return 'CR'
  return `U+${(end.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/*
 * Foreign text that is written for people: everything that the first screen shows. What looks like something else is told in code and
 * names alone, and the tables of that (`foreign-text.ts`) come with the first part that shows one.
 */

/** As `foreignParts(text, 'prose')`. */
export const proseParts = (text: string): readonly ForeignPart[] => partsOf(text, 'prose', marksButTwins(text, 'prose'))

/** As `visibleText(text, 'prose')`. */
export const visibleProse = (text: string): string => visible(proseParts(text))

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

/** What no new name may hold: it would look like another name, or turn round what is beside it. */
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
