import type { Part } from '../arguments/dialect'
import type { Draft } from './draft'
import * as Char from '../text/source'
import { Source } from '../text/source'
import { readFenceCloser, readFenceOpener, type FenceOpener } from './fences'

export interface Quotation {
  readonly end: number
  /** The lines without their quotation marks. */
  readonly text: string
  /** Offset in the source for an offset in `text`. */
  place(offset: number): number
}

/** Collects lines of a quotation: each from `from`, where its mark has ended, to `end`. */
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

/** Reads the text of a quotation, without its marks, up to the last item that begins before `until`. */
export type ReadQuotation = (text: string, until: number) => readonly Draft[]

const callsOf = (drafts: readonly Draft[]): readonly CallDraft[] => drafts.filter((draft) => draft.kind === 'call')

/**
 * The calls in lines that quote someone, with the text between them, from `start` on. `longer` is the quotation plus
 * the lines after it that may have lost their marks: in those, a call counts only if it begins inside the quotation.
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
 * A diff in the reply without a fence: after its head (`diff --git`, `--- a/x` with `+++ b/x`, `@@ -1 +1 @@`), or
 * removed and added lines directly next to each other. Lists in prose are marked with `-` and `+`, too, but never with
 * both in neighbouring lines, and always with a blank after the mark.
 */

const HEAD = /diff --git |Index: \S|@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/y
const MAX_HEAD = 60
/** Lines of a diff without a mark. */
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

/** Whether text follows the mark directly, without a blank: then it is not a list item. */
function startsChange(source: Source, start: number): boolean {
  const next = source.at(start + 1)
  return next > Char.SPACE && next !== source.at(start)
}

/** The kind of the diff line at `i`; null if the diff has ended before it. */
function lineKind(source: Source, i: number): '+' | '-' | ' ' | 'info' | null {
  const unit = source.at(i)
  // An empty context line lost its blank; the next line must clearly belong to the diff.
  if (unit === Char.LINE_FEED || unit === Char.CARRIAGE_RETURN) {
    const next = source.at(source.skipSpace(i))
    return next === Char.PLUS || next === Char.MINUS || next === Char.AT ? 'info' : null
  }
  if ('diI=@\\norscB'.includes(String.fromCharCode(unit))) return source.match(INFO, i, 20) ? 'info' : null
  if (unit === Char.PLUS) return source.has(i, '+++ ') ? 'info' : '+'
  if (unit === Char.MINUS) return source.has(i, '--- ') ? 'info' : '-'
  return unit === Char.SPACE || unit === Char.TAB ? ' ' : null
}

/** A line of a quotation in which no call can begin. */
interface PlainQuote {
  readonly end: number
  /** The fence that is open in the quotation after this line. */
  readonly fence: FenceOpener | null
}

/**
 * The line of a quotation at `start`; `open` is the fence that earlier lines opened. Null if the line must be fully
 * read.
 */
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

/** The lines from `start` on that begin with `>`; null if the first does not. */
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

/** How far after the quotation a body that lost its marks is searched for. */
const MAX_LOST = 8_000

/**
 * The quotation with the text after it, if its last line opens something that the lines below may continue:
 * a body whose lines lost the mark is quoted together with its opener.
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

/** Language of a fence that was opened in a quotation; no dialect accepts calls from it. */
const QUOTED_FENCE = '>'

/** How a fence that is open in a quotation continues after one of its lines. */
export function continues(source: Source, lineEnd: number): 'quoted' | 'unmarked' | 'ends' {
  const below = source.at(source.skipBlanks(lineEnd))
  if (below === Char.GREATER) return 'quoted'
  return below < 0 || below === Char.LINE_FEED ? 'ends' : 'unmarked'
}

/**
 * The fence that is open after a quotation, and after its call that continues to `callEnd`; `open` is the fence that
 * was open before it. A fence opened in the quotation extends to the lines without marks if they follow directly. A
 * fence opened after it, inside such a call, stays open after the call.
 */
export function openFenceBehind(
  source: Source,
  { end, text }: Quotation,
  callEnd: number,
  open: FenceOpener | null,
): FenceOpener | null {
  const inside = continues(source, end) === 'unmarked' ? openFenceIn(text, open) : null
  return openFenceIn(source.text.slice(end, callEnd), inside)
}

/** The fence that is open after a text; `before` is the one that was open before it. */
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
