import * as Char from '../text/char'
import { Source } from '../text/source'
import { readFenceCloser, readFenceOpener } from './fences'
import type { FenceOpener } from './fences'
import { QuotedLines } from './quotation'
import type { Quotation } from './quotation'

/** A line of a quotation in which nothing can begin a call. */
interface PlainQuote {
  readonly end: number
  /** The fence that the quotation has opened by then and not closed. */
  readonly fence: FenceOpener | null
}

/** The line of a quotation at `start`, in which `open` is the fence that its lines before opened; null when it must be read. */
export function readPlainQuote(source: Source, start: number, open: FenceOpener | null): PlainQuote | null {
  const lineEnd = source.text.indexOf('\n', start)
  const end = lineEnd < 0 ? source.text.length : lineEnd + 1
  if (/[<{[]/.test(source.text.slice(start, end))) return null
  if (lineEnd < 0) source.starved = true
  return { end, fence: openFenceIn(source.text.slice(markEnd(source, start), end), open) }
}

/** Where the marks of a quotation's line that starts at `lineStart` end. */
function markEnd(source: Source, lineStart: number): number {
  let i = source.skipBlanks(lineStart)
  while (source.at(i) === Char.GREATER) {
    i++
    if (source.at(i) === Char.SPACE) i++
  }
  return i
}

/** The lines from `start` on that begin with `>`; null when the first does not. */
export function readBlockquote(source: Source, start: number): Quotation | null {
  const lines = new QuotedLines()
  let i = start
  while (source.at(source.skipBlanks(i)) === Char.GREATER) {
    const from = markEnd(source, i)
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

/** How a fence that is open in a quotation goes on behind one of its lines. */
export function goesOn(source: Source, lineEnd: number): 'quoted' | 'unmarked' | 'ends' {
  const below = source.at(source.skipBlanks(lineEnd))
  if (below === Char.GREATER) return 'quoted'
  return below < 0 || below === Char.LINE_FEED ? 'ends' : 'unmarked'
}

/**
 * The fence that is open behind a quotation, and behind the call of it that goes on to `callEnd`; `open` is the one that stood
 * open in front of it. What the quotation opened reaches into lines that lost the marks when they go on right below. What opens
 * behind it, inside of such a call, stays open behind the call all the same.
 */
export function openFenceBehind(
  source: Source,
  { end, text }: Quotation,
  callEnd: number,
  open: FenceOpener | null,
): FenceOpener | null {
  const inside = goesOn(source, end) === 'unmarked' ? openFenceIn(text, open) : null
  return openFenceIn(source.text.slice(end, callEnd), inside)
}

/** The fence that is open behind a text, in front of which `before` was. */
function openFenceIn(text: string, before: FenceOpener | null): FenceOpener | null {
  const lines = new Source(text, true)
  let open = before
  for (let i = 0; i < text.length;) {
    if (open === null) open = readFenceOpener(lines, i)
    else if (readFenceCloser(lines, i, open) !== null) open = null
    const next = lines.find('\n', i)
    i = next < 0 ? text.length : next + 1
  }
  return open && { ...open, language: QUOTED_FENCE }
}
