import * as Char from '../text/source'
import { type Source, isDigit, isLetter } from '../text/source'

export interface Tag {
  readonly end: number
  /** Not written exactly as `<name>` or `</name>`. */
  readonly otherCase: boolean
  readonly decorated: boolean
  readonly attributes: string
}

const MAX_TAG = 1000
export const isNamePart = (unit: number): boolean =>
  isLetter(unit) ||
  isDigit(unit) ||
  unit === Char.UNDERSCORE ||
  unit === Char.MINUS ||
  unit === Char.COLON ||
  unit === Char.DOT

/**
 * The tag `<name …>` (or `</name>`) at `i`, in any case, with blanks and attributes. Null if it is anything else; only
 * true prefixes of the tag hold streamed text back.
 */
export function readTag(source: Source, i: number, name: string, closing: boolean, longest = MAX_TAG): Tag | null {
  if (source.at(i) !== Char.LESS) return null
  let at = source.skipBlanks(i + 1)
  if (closing) {
    // `<\/name>` is how JSON writers escape the slash.
    if (source.at(at) === Char.BACKSLASH) at++
    if (source.at(at) !== Char.SLASH) return null
    at = source.skipBlanks(at + 1)
  }
  if (at - i > 12 || !source.has(at, name, true)) return null
  const written = source.text.slice(at, at + name.length)
  const after = at + name.length
  if (isNamePart(source.at(after))) return null
  const end = tagEnd(source, after, longest)
  if (end === null) return null
  const attributes = source.text.slice(after, end - 1)
  const plain = (closing ? 2 : 1) + i === at && attributes === ''
  return { end, otherCase: written !== name, decorated: !plain, attributes }
}

/** The offset after the `>` that ends the tag; `<` and blank lines are not allowed before it. */
export function tagEnd(source: Source, from: number, longest: number): number | null {
  for (let i = from; i - from <= longest; i++) {
    const unit = source.at(i)
    if (unit === Char.GREATER) return source.text.charCodeAt(i - 1) === Char.SLASH && i > from ? null : i + 1
    if (unit < 0 || unit === Char.LESS || unit === Char.OPEN_BRACE) return null
  }
  return null
}

/** The end of a closing tag with any name at `i`, or null. */
export function readAnyCloser(source: Source, i: number): number | null {
  if (source.at(i) !== Char.LESS || source.at(i + 1) !== Char.SLASH) return null
  let at = i + 2
  while (isNamePart(source.at(at)) && at - i < 64) at++
  if (at === i + 2) return null
  at = source.skipBlanks(at)
  return source.at(at) === Char.GREATER ? at + 1 : null
}

/** Whether the text ends with a cut-off `</name>` that begins at `i`. For final texts only. */
export function isCutCloser(source: Source, i: number, name: string): boolean {
  const rest = source.text.slice(i)
  return (
    source.final && rest.length >= 2 && rest.length < name.length + 3 && `</${name}>`.startsWith(rest.toLowerCase())
  )
}
