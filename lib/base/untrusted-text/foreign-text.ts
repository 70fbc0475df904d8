import type { TextKind } from './mark'
import { marksOf } from './marks-of'
import { partsOf, visible, type ForeignPart } from './parts'

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
