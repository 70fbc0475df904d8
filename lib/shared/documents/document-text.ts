import { english } from '@/lib/base/text/locale'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import type { DocumentPart, DocumentText, DocumentUnit } from '@/lib/sandbox/document'
import { err, ok, type Result } from '@/lib/base/result'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'

/*
 * A document as models read it: parts under marks, with the outline of a long one first.
 *
 *   --- page 3 ---
 *   ## Rent …
 */

/** The text of a document or of a page, from any source. */
export type ReadText = Omit<DocumentText, 'format'>

const plurals: Readonly<Record<DocumentUnit, string>> = {
  page: 'pages',
  slide: 'slides',
  sheet: 'sheets',
  chapter: 'chapters',
  part: 'parts',
}

/** "40 pages", "1 sheet". */
export const countedParts = ({ unit, total }: Pick<DocumentText, 'unit' | 'total'>): string =>
  english.counted(total, { one: unit, other: plurals[unit] })

export const partMark = (unit: DocumentUnit, number: number, { label }: DocumentPart): string =>
  `--- ${unit} ${number}${label === '' ? '' : `: ${label}`} ---`

/** The parts `from … to`, counted from 1, each under its mark. */
export function textOfParts({ unit, parts }: ReadText, from: number, to: number): string {
  return parts
    .slice(from - 1, to)
    .map((part, index) => `${partMark(unit, from + index, part)}\n${part.text.trim() === '' ? '(no text)' : part.text}`)
    .join('\n\n')
}

const tokens = new WeakMap<DocumentText, number>()

/** The approximate tokens of the whole document. */
export function tokensOfDocument(document: DocumentText): number {
  const known = tokens.get(document)
  if (known !== undefined) return known
  const count = document.parts.reduce((sum, { text }) => sum + estimateTokens(text), 0)
  tokens.set(document, count)
  return count
}

export const hiddenIn = ({ parts }: ReadText): number => parts.reduce((sum, { hidden }) => sum + hidden, 0)

/** It contains no readable text: most likely its pages are images. */
export const isWithoutText = ({ parts }: ReadText): boolean => parts.every(({ text }) => text.trim() === '')

/** Numbers as "1, 3 to 5". */
export function numberRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(', ')
}

/** What is missing in a document's text, in sentences for the model. */
export function notesOn({ unit, total, parts, cut, macros }: ReadText): readonly string[] {
  const notes = macros ? ['The file has macros: they were not run, and their code is not in this text.'] : []
  const empty = parts.flatMap(({ text }, index) => (text.trim() === '' ? [index + 1] : []))
  const units = plurals[unit]
  if (empty.length > 0 && empty.length < parts.length && unit === 'page')
    notes.push(`No text on ${units} ${numberRanges(empty).slice(0, 200)}: probably pictures.`)
  if (cut === 'time')
    notes.push(`Reading took too long: only the first ${parts.length} of ${total} ${units} were read.`)
  if (cut === 'size') notes.push(`The text is too long: it ends in ${unit} ${parts.length} of ${total}.`)
  if (cut === 'pages') notes.push(`Only the first ${parts.length} of ${total} ${units} were read.`)
  return notes
}

/** The lines of its outline, or else the beginning of each part. */
export function outlineLines({ unit, outline, parts }: ReadText, most: number): readonly string[] {
  const entries =
    outline.length > 0
      ? outline
      : parts.flatMap(({ text, label }, index) => {
          const title = label || (text.split('\n').find((line) => line.trim() !== '') ?? '')
          return title === '' ? [] : [{ title: title.replace(/^#+ /, '').slice(0, 80), part: index + 1 }]
        })
  const lines = entries.slice(0, most).map(({ title, part }) => `${title} … ${unit} ${part}`)
  const left = entries.length - lines.length
  return left > 0 ? [...lines, `${left} more`] : lines
}

/** Up to this many characters a document is given whole, else its outline first. */
export const wholeCharacters = 24_000

export const isLong = (document: ReadText): boolean =>
  document.parts.reduce((sum, { text }) => sum + text.length, 0) > wholeCharacters

/** The first part, or as much of it as fits, cut at a line's end. */
function beginning(document: DocumentText, room: number): string {
  const text = textOfParts(document, 1, 1)
  if (text.length <= room) return text
  const cut = text.slice(0, room - 2)
  const end = cut.lastIndexOf('\n')
  return `${end > room / 2 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, '')}\n…`
}

/** What is sent with a message for a document: all of it if it fits, else its outline and its first part. */
export function documentHead(document: DocumentText, room: number): { readonly head: string; readonly whole: boolean } {
  const whole = textOfParts(document, 1, document.parts.length)
  if (whole.length <= room && document.cut === null) return { head: whole, whole: true }
  const lines = ['Outline:', ...outlineLines(document, 21)].join('\n').slice(0, Math.floor(room / 2))
  return { head: `${lines}\n\n${beginning(document, room - lines.length - 2)}`, whole: false }
}

/**
 * An answer stays below the executor's limit, so that nothing is cut from its middle and the model can read part by
 * part.
 */
export const maxCharacters = 48_000

/** Characters of a text in JSON: quotes, backslashes and control characters take more than one. */
export const jsonLength = (text: string) => JSON.stringify(text).length - 2

export interface Range {
  readonly from: number
  readonly to: number
}

/** The parts that `pages` names: `3`, `3-5`, `3 to 5`, or a sheet by its name. */
export function rangeOf(document: ReadText, pages: string): Result<Range, ModelMessage> {
  const { unit, parts, total } = document
  const named = pages.trim()
  const label = parts.findIndex((part) => part.label !== '' && part.label.toLowerCase() === named.toLowerCase())
  if (label >= 0) return ok({ from: label + 1, to: label + 1 })
  const found = /^(?:pages?|slides?|sheets?|chapters?|parts?)?\s*(\d{1,6})\s*(?:(?:-|–|to|\.\.)\s*(\d{1,6}))?$/i.exec(
    named,
  )
  const from = Number(found?.[1])
  const to = Number(found?.[2] ?? from)
  if (!found || to < from) return err(makeModelMessage('told.document.pages', { pages: named.slice(0, 40) }))
  if (from < 1 || from > parts.length)
    return err(makeModelMessage('told.document.no-page', { unit, number: from, total, read: parts.length }))
  return ok({ from, to: Math.min(to, parts.length) })
}

/** As many parts as one answer may hold, but at least one. */
export function fitting(document: ReadText, { from, to }: Range): Range {
  let last = from
  while (last < to && jsonLength(textOfParts(document, from, last + 1)) <= maxCharacters) last++
  return { from, to: last }
}
