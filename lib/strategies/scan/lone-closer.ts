import type { Dialect } from '../dialect'
import { isLineStart } from './fences'
import { readMark } from './reasoning'
import type { Source } from './source'

/**
 * The end of a closer of reasoning at `i` that may stand for an opener before the message: at the start of a line, or
 * behind white space at a line's end. In the middle of a sentence it is a mention.
 */
export function readLoneCloser(source: Source, i: number, lineStart: boolean): number | null {
  const closer = readMark(source, i, true)
  if (!closer) return null
  if (lineStart) return closer.end
  const before = source.text.charCodeAt(i - 1)
  if (before !== 0x20 && before !== 0x09) return null
  const after = source.at(source.skipBlanks(closer.end))
  return after < 0 || after === 0x0a || after === 0x0d ? closer.end : null
}

/** The end of a lone closer in `[start, end)`, a call that broke off, where no text that closes protects it. */
export function loneCloserIn(source: Source, start: number, end: number, dialect: Dialect): number | null {
  const from = (dialect.openValue ?? openString)(source.text.slice(start, end))
  if (from === null) return null
  for (let i = start + from; i < end; i++) {
    const unit = source.text.charCodeAt(i)
    if (unit !== 0x3c && unit !== 0x5b && unit !== 0x25c1) continue
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
    if (open !== null && unit === 0x5c) i++
    else if (unit === 0x22) open = open === null ? i : null
  }
  return open
}
