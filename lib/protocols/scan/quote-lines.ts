import type { Part } from '../arguments/dialect'
import type { Draft } from './draft'
import type { Quotation } from './quotation'

type CallDraft = Extract<Draft, { kind: 'call' }>

/** Reads the text of a quotation, without its marks, as far as something begins before `until`. */
export type ReadQuotation = (text: string, until: number) => readonly Draft[]

const callsOf = (drafts: readonly Draft[]): readonly CallDraft[] => drafts.filter((draft) => draft.kind === 'call')

/**
 * The calls in lines that quote somebody, with the text between them, from `start` on. `longer` is the quotation with the
 * lines behind it that may have lost their marks: of those only a call counts that begins inside of the quotation.
 */
export function quoteLines(
  start: number,
  quotation: Quotation,
  longer: Quotation | null,
  read: ReadQuotation,
): { readonly end: number; readonly parts: readonly Part[] } {
  const border = quotation.text.length
  const drafts = longer ? callsOf(read(longer.text, border)) : []
  const crossing = drafts.find((draft) => draft.start < border && draft.end > border)
  const calls = crossing
    ? drafts.filter((draft) => draft.start < border || draft.group === crossing.group)
    : callsOf(read(quotation.text, border))
  const places = crossing && longer ? longer : quotation
  const parts: Part[] = []
  let from = start
  for (const draft of calls) {
    const begin = Math.max(from, places.place(draft.start))
    const end = places.place(Math.max(0, draft.end - 1)) + 1
    if (begin > from) parts.push({ kind: 'text', start: from, end: begin })
    parts.push({ kind: 'call', start: begin, end, call: draft.call, foreignAs: draft.dialect })
    from = end
  }
  const end = Math.max(from, quotation.end)
  if (from < end) parts.push({ kind: 'text', start: from, end })
  return { end, parts }
}
