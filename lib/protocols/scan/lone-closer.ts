import type { Dialect } from '../arguments/dialect'
import * as Char from '../text/char'
import type { Source } from '../text/source'
import { isLineStart } from './fences'
import { readMark } from './reasoning'

/**
 * The end of a closer of reasoning at `i` that may stand for an opener before the message: at the start of a line, or
 * behind white space at a line's end. In the middle of a sentence it is a mention.
 */
export function readLoneCloser(source: Source, i: number, lineStart: boolean): number | null {
  const closer = readMark(source, i, true)
  if (!closer) return null
  if (lineStart) return closer.end
  const before = source.text.charCodeAt(i - 1)
  if (before !== Char.SPACE && before !== Char.TAB) return null
  const after = source.at(source.skipBlanks(closer.end))
  return after < 0 || after === Char.LINE_FEED || after === Char.CARRIAGE_RETURN ? closer.end : null
}

/** The end of a lone closer in `[start, end)`, a call that broke off, where no text that closes protects it. */
export function loneCloserIn(source: Source, start: number, end: number, dialect: Dialect): number | null {
  const from = (dialect.openValue ?? openString)(source.text.slice(start, end))
  if (from === null) return null
  for (let i = start + from; i < end; i++) {
    const unit = source.text.charCodeAt(i)
    if (unit !== Char.LESS && unit !== Char.OPEN_BRACKET && unit !== Char.LEFT_TRIANGLE) continue
    const closer = readLoneCloser(source, i, isLineStart(source, i))
    if (closer !== null && closer <= end) return closer
  }
  return null
}

/** Where the string begins that JSON leaves open. */
function openString(text: string): number | null {
  let open: number | null = null
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (open !== null && unit === Char.BACKSLASH) i++
    else if (unit === Char.QUOTE) open = open === null ? i : null
  }
  return open
}
