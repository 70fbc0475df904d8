import type { Mark, TextKind } from './mark'

/** A piece of a foreign text as it is shown. The pieces' `text` joined is the text itself, so that nothing is lost. */
export type ForeignPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Letters that are written from right to left, amid code or a name: they turn nothing beside them. */
  | { readonly kind: 'rtl'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string; readonly mark: Mark }

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu

/** The text in pieces: what shows, and a mark for all that does not. `marks` are those of the text in that reading. */
export function partsOf(text: string, reading: TextKind, marks: readonly Mark[]): readonly ForeignPart[] {
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

/** What a mark shows: `⟨U+202E⟩`; a letter that passes for another one stands before it. */
const markText = (text: string, mark: Mark): string =>
  mark.kind === 'look-alike' ? `${text}⟨${mark.label}⟩` : `⟨${mark.label}⟩`

/** The pieces as plain text, with their marks in it. */
export const visible = (parts: readonly ForeignPart[]): string =>
  parts.map((part) => (part.kind === 'mark' ? markText(part.text, part.mark) : part.text)).join('')
