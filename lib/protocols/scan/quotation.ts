import type { Part } from '../arguments/dialect'
import type { Draft } from './draft'
import * as Char from '../text/char'
import { Source } from '../text/source'
import { readFenceCloser, readFenceOpener, type FenceOpener } from './fences'

export interface Quotation {
  readonly end: number
  /** The lines without their marks. */
  readonly text: string
  /** Offset in the source for an offset in `text`. */
  place(offset: number): number
}

/** Gathers lines of a quotation: each from `from` on, where its mark has ended, to `end`. */
export class QuotedLines implements Quotation {
  private readonly lines: { readonly at: number; readonly from: number }[] = []
  text = ''
  end = 0

  get count(): number {
    return this.lines.length
  }

  add(source: string, from: number, end: number): void {
    this.lines.push({ at: this.text.length, from })
    this.text += source.slice(from, end)
    this.end = end
  }

  place(offset: number): number {
    const { lines } = this
    let low = 0
    let high = lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((lines[middle]?.at ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const line = lines[low]
    return line ? line.from + (offset - line.at) : offset
  }
}

type CallDraft = Extract<Draft, { kind: 'call' }>

/** Reads the text of a quotation, without its marks, as far as something begins before `until`. */
export type ReadQuotation = (text: string, until: number) => readonly Draft[]

const callsOf = (drafts: readonly Draft[]): readonly CallDraft[] => drafts.filter((draft) => draft.kind === 'call')

/**
 * The calls in lines that quote someone, with the text between them, from `start` on. `longer` is the quotation with the
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

/*
 * A diff that is in the reply without a fence: after its head (`diff --git`, `--- a/x` with `+++ b/x`, `@@ -1 +1 @@`), or
 * lines that are taken away and added right below one another. Lists of prose are marked by `-` and `+`, too: never by
 * both in neighbouring lines, and with a blank behind.
 */

const HEAD = /diff --git |Index: \S|@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/y
const MAX_HEAD = 60
/** Lines of a diff that have no mark of their own. */
const INFO =
  /(?:diff |index |Index: |=====|@@ |--- |\+\+\+ |\\ No newline|new file|deleted file|old mode|new mode|similarity|rename |copy |Binary files)/y

export function readDiff(source: Source, start: number): Quotation | null {
  const unit = source.at(start)
  const marked = unit === Char.PLUS || unit === Char.MINUS
  if (!marked && !'dI@'.includes(String.fromCharCode(unit))) return null
  const head = startsHead(source, start, unit)
  if (!head && !(marked && startsChange(source, start))) return null
  const lines = new QuotedLines()
  let seen = ''
  for (let i = start; source.at(i) >= 0;) {
    const kind = lineKind(source, i)
    if (kind === null) break
    if (kind !== 'info') seen += kind
    const next = source.find('\n', i)
    const end = next < 0 ? source.text.length : next + 1
    lines.add(source.text, kind === 'info' ? i : i + 1, end)
    i = end
  }
  const both = seen.includes('+') && seen.includes('-')
  return lines.count > 0 && (head || both) ? lines : null
}

function startsHead(source: Source, start: number, unit: number): boolean {
  if (unit !== Char.MINUS) return unit !== Char.PLUS && source.match(HEAD, start, MAX_HEAD) !== null
  if (!source.has(start, '--- ')) return false
  const next = source.find('\n', start)
  return next >= 0 && source.has(next + 1, '+++ ')
}

/** A sign with text right behind it, no blank: no item of a list. */
function startsChange(source: Source, start: number): boolean {
  const next = source.at(start + 1)
  return next > Char.SPACE && next !== source.at(start)
}

/** What the line at `i` is in a diff; null when the diff has ended before it. */
function lineKind(source: Source, i: number): '+' | '-' | ' ' | 'info' | null {
  const unit = source.at(i)
  // A context line that is empty lost its blank; what comes after must be a line of the diff by itself.
  if (unit === Char.LINE_FEED || unit === Char.CARRIAGE_RETURN) {
    const next = source.at(source.skipSpace(i))
    return next === Char.PLUS || next === Char.MINUS || next === Char.AT ? 'info' : null
  }
  if ('diI=@\\norscB'.includes(String.fromCharCode(unit))) return source.match(INFO, i, 20) ? 'info' : null
  if (unit === Char.PLUS) return source.has(i, '+++ ') ? 'info' : '+'
  if (unit === Char.MINUS) return source.has(i, '--- ') ? 'info' : '-'
  return unit === Char.SPACE || unit === Char.TAB ? ' ' : null
}

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
 * The quotation with what is behind it, where its last line opens something that the lines below may continue with:
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

/** How a fence that is open in a quotation continues behind one of its lines. */
export function goesOn(source: Source, lineEnd: number): 'quoted' | 'unmarked' | 'ends' {
  const below = source.at(source.skipBlanks(lineEnd))
  if (below === Char.GREATER) return 'quoted'
  return below < 0 || below === Char.LINE_FEED ? 'ends' : 'unmarked'
}

/**
 * The fence that is open behind a quotation, and behind the call of it that continues to `callEnd`; `open` is the one that stood
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
