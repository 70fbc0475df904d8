import { type TextKind, type Mark, type MarkKind, codePointLabel, belongsToEmoji } from './mark'
import { lookAlikes } from './look-alikes'
import { marksButTwins } from './marks-but-twins'

/**
 * A piece of an untrusted text for display. The joined `text` of all pieces is the original text, so nothing is lost.
 */
export type ForeignPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Letters that are written from right to left within code or a name; they do not reorder the text around them. */
  | { readonly kind: 'rtl'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string; readonly mark: Mark }

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu

/**
 * Splits the text into visible pieces and marks for hidden characters. `marks` must come from the same reading of the
 * text.
 */
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

/** The text of a mark: `⟨U+202E⟩`; a look-alike letter is shown before it. */
const markText = (text: string, mark: Mark): string =>
  mark.kind === 'look-alike' ? `${text}⟨${mark.label}⟩` : `⟨${mark.label}⟩`

/** The pieces as plain text, including their marks. */
export const visible = (parts: readonly ForeignPart[]): string =>
  parts.map((part) => (part.kind === 'mark' ? markText(part.text, part.mark) : part.text)).join('')

/*
 * The language decides where lines end: a lone CR ends a comment in JavaScript and Python, U+2028 only in JavaScript, a
 * form feed in CSS. For unknown languages the broadest rule applies, so that nothing hides in a line.
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
  /** What ends the line, if it is not LF, CRLF or the end of the text: "CR", "U+2028". */
  readonly end: string | null
}

/** The lines as the language counts them, without their line ends. Lines joined with their ends give the text. */
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
 * Untrusted text that is written for people, as on the first screen. Look-alikes are marked only in code and names;
 * their tables (`foreign-text.ts`) load with the first part that shows such text.
 */

/** Same as `foreignParts(text, 'prose')`. */
export const proseParts = (text: string): readonly ForeignPart[] => partsOf(text, 'prose', marksButTwins(text, 'prose'))

/** Same as `visibleText(text, 'prose')`. */
export const visibleProse = (text: string): string => visible(proseParts(text))

/**
 * Splits the text into visible pieces and marks for hidden characters. `marks` are those of `marksOf(text, reading)`.
 */
export const foreignParts = (text: string, reading: TextKind, marks = marksOf(text, reading)): readonly ForeignPart[] =>
  partsOf(text, reading, marks)

/** The text with its marks, for places that take only plain text: titles, labels, messages. */
export const visibleText = (text: string, reading: TextKind): string => visible(foreignParts(text, reading))

/** Untrusted text within a sentence of the app: quoted, on one line, and cut to `maxLength` characters. */
export function quoted(text: string, maxLength = 40): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text
  // A quotation mark in the untrusted text must not end our quotation.
  return `“${visibleText(cut, 'name').replaceAll('”', '⟨U+201D⟩')}”`
}

/**
 * Characters that a new name may not contain: they would make it look like another name, or reorder the text beside it.
 */
const barred: ReadonlySet<MarkKind> = new Set(['invisible', 'direction', 'control', 'line-end'])

const barredMarks = (name: string): readonly Mark[] =>
  marksOf(name, 'name').filter(({ kind, start }) => barred.has(kind) && !belongsToEmoji(name, start))

/** The first character that a new name may not contain, as "U+200B"; null if there is none. */
export function barredInName(name: string): string | null {
  const [mark] = barredMarks(name)
  return mark ? mark.label.replace(/ × .*/, '') : null
}

/**
 * A name or path without the characters that a new name may not contain. If nothing else is left, the name becomes
 * "file".
 */
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
  // The rest may be no name at all, or a path that leads elsewhere.
  return parts.map((part, index) => (/^\s*\.{0,2}\s*$/.test(part) && part !== before[index] ? 'file' : part)).join('/')
}

/**
 * All marks for hidden or misleading characters in a text, in order; no two overlap. CRLF is a plain line end.
 * Characters that end lines only in some languages are marked; see `splitLines` for text that is shown by lines.
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
