import { isCutCloser, readTag } from '../scan/tags'
import { braceBefore } from '../json-repair/peek-key'
import * as Char from '../text/char'
import type { Source } from '../text/source'

export const TAG = 'tool_code'
export const RESULT_TAG = 'tool_result'

export function afterQuote(source: Source, i: number): boolean {
  while (i > 0 && source.text.charCodeAt(i - 1) <= Char.SPACE) i--
  return source.text.charCodeAt(i - 1) === Char.QUOTE
}

/** Whether the tag that opened before `from` is an example inside a text: then two closing tags follow in a row. */
export function isExample(source: Source, from: number): boolean {
  for (let i = from; ; i++) {
    i = source.find('<', i)
    if (i < 0 || readTag(source, i, TAG, false)) return false
    const closer = readTag(source, i, TAG, true)
    if (closer) return closesAgain(source, closer.end)
  }
}

/** Right after a quote, a closing tag may be part of a string: then the true one comes before the next opener. */
export function closesAgain(source: Source, from: number): boolean {
  for (let i = from; ; i++) {
    i = source.find('<', i)
    if (i < 0 || readTag(source, i, TAG, false)) return false
    if (readTag(source, i, TAG, true) || isCutCloser(source, i, TAG)) return true
  }
}

/** Whether a quote or a bracket stands behind the tag at `i`, before the next one: the tag was inside of a value. */
export function valueGoesOn(source: Source, i: number): boolean {
  for (let at = i + 1; ; at++) {
    const unit = source.at(at)
    if (unit < 0 || unit === Char.LESS) return false
    if (unit === Char.QUOTE || unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) return true
  }
}

/** The tag before `{"` whose quote stands inside a string: the string was cut off and a new call begins. */
export function tagBefore(source: Source, quote: number): number {
  let i = braceBefore(source, quote)
  if (i-- < 0) return -1
  while (i >= 0 && (source.text.charCodeAt(i) <= Char.SPACE || source.text[i] === '[')) i--
  if (source.text[i] !== '>') return -1
  const open = source.text.lastIndexOf('<', i)
  if (open < 0 || i - open > 300 || readTag(source, open, TAG, false)?.end !== i + 1) return -1
  return isExample(source, i + 1) ? -1 : open
}
