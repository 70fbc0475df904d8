import * as Char from '../text/char'
import { Source } from '../text/source'
import { readFenceCloser, readFenceOpener } from './fences'
import type { FenceOpener } from './fences'
import { QuotedLines } from './quotation'
import type { Quotation } from './quotation'

/** The end of the line of a quotation in which nothing can begin a call; null when it must be read. */
export function readPlainQuote(source: Source, start: number): number | null {
  const lineEnd = source.text.indexOf('\n', start)
  const end = lineEnd < 0 ? source.text.length : lineEnd + 1
  const line = source.text.slice(start, end)
  if (/[<{[]/.test(line)) return null
  // A fence whose body goes on without marks; with them it is read when a call comes.
  const fence = lineEnd >= 0 && /^[\s>]*(?:`{3}|~{3})/.test(line)
  if (fence && !/^[ \t]*>/.test(source.text.slice(end, end + 40))) return null
  if (lineEnd < 0) source.starved = true
  return end
}

/** The lines from `start` on that begin with `>`; null when the first does not. */
export function readBlockquote(source: Source, start: number): Quotation | null {
  const lines = new QuotedLines()
  let i = start
  while (source.at(source.skipBlanks(i)) === Char.GREATER) {
    let from = source.skipBlanks(i)
    while (source.at(from) === Char.GREATER) {
      from++
      if (source.at(from) === Char.SPACE) from++
    }
    const next = source.find('\n', from)
    const end = next < 0 ? source.text.length : next + 1
    lines.add(source.text, from, end)
    i = end
    if (i >= source.text.length && source.at(i) < 0) break
  }
  return lines.count === 0 ? null : lines
}

/** No body that lost its marks is looked for further behind the quotation. */
const MAX_LOST = 8_000

/**
 * The quotation with what stands behind it, where its last line opens something that the lines below may go on with:
 * a body whose lines lost the mark is quoted with its opener.
 */
export function withLostMarks(source: Source, quotation: Quotation): Quotation | null {
  const { text, end } = quotation
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  const opens = /[<{[「`~]/.test(last) && /[>{[(,:"「『」`~\w]\s*$/.test(last)
  if (!opens || source.text.charCodeAt(end - 1) !== Char.LINE_FEED) return null
  if (source.at(source.skipSpace(end)) < 0) return null
  const until = Math.min(source.text.length, end + MAX_LOST)
  if (until < end + MAX_LOST) source.starved = true
  return {
    end: until,
    text: text + source.text.slice(end, until),
    place: (offset) => (offset < text.length ? quotation.place(offset) : end + (offset - text.length)),
  }
}

/** No dialect takes calls from a fence of this language: it was opened in a quotation. */
const QUOTED_FENCE = '>'

/** The fence that the quotation opens and does not close, when its body lost the marks and goes on right below. */
export function openFenceOf(source: Source, quotation: Quotation): FenceOpener | null {
  const below = source.at(source.skipBlanks(quotation.end))
  if (below < 0 || below === Char.LINE_FEED) return null
  return openFenceIn(quotation.text)
}

/**
 * The fence that opens behind the quotation, inside of a call that goes on there, and does not close in it: what stands behind
 * the call is in that fence all the same.
 */
export const openFenceBehind = (source: Source, { end }: Quotation, callEnd: number): FenceOpener | null =>
  openFenceIn(source.text.slice(end, callEnd))

function openFenceIn(text: string): FenceOpener | null {
  const lines = new Source(text, true)
  let open: FenceOpener | null = null
  for (let i = 0; i < text.length;) {
    if (open === null) open = readFenceOpener(lines, i)
    else if (readFenceCloser(lines, i, open) !== null) open = null
    const next = lines.find('\n', i)
    i = next < 0 ? text.length : next + 1
  }
  return open && { ...open, language: QUOTED_FENCE }
}
