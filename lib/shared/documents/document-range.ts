import { err, ok, type Result } from '@/lib/base/result'
import { makeModelMessage, type Told } from '@/lib/i18n/t'
import { textOfParts, type ReadText } from './document-text'

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
export function rangeOf(document: ReadText, pages: string): Result<Range, Told> {
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
