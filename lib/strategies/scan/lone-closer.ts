import { isLineStart } from './fences'
import { readMark } from './reasoning'
import { Source } from './source'

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
export function loneCloserIn(source: Source, start: number, end: number, dialect: string): number | null {
  const from = openValue(source.text.slice(start, end), dialect)
  if (from === null) return null
  for (let i = start + from; i < end; i++) {
    const unit = source.text.charCodeAt(i)
    if (unit !== 0x3c && unit !== 0x5b && unit !== 0x25c1) continue
    const closer = readLoneCloser(source, i, isLineStart(source, i))
    if (closer !== null && closer <= end) return closer
  }
  return null
}

/** Where the value begins that a broken call leaves open; null when all of its values have ended. */
function openValue(text: string, dialect: string): number | null {
  if (dialect === 'VCP') {
    const open = text.lastIndexOf('「始')
    return open >= 0 && open > text.lastIndexOf('「末') ? open : null
  }
  // Elements end with a tag of their own: what stands behind the last one is open.
  if (dialect === 'Tool_Action') return Math.max(text.lastIndexOf('/>'), lastOtherCloser(text), 0)
  let open: number | null = null
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (open !== null && unit === 0x5c) i++
    else if (unit === 0x22) open = open === null ? i : null
  }
  return open
}

function lastOtherCloser(text: string): number {
  for (let at = text.length; at > 0;) {
    at = text.lastIndexOf('</', at - 1)
    if (at < 0 || !readMark(new Source(text.slice(at, at + 80), true), 0, true)) return at
  }
  return -1
}
