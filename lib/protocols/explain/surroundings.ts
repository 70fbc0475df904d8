import { endsReasoning } from '../reasoning/reasoning-marks'
import type { Segment } from '../types/segment'
import { isLineStart } from '../scan/fences'
import { readMarkupOpener, type MarkupRegion } from '../scan/markup-regions'
import { readSpeaker, readTurnEnd } from '../scan/turn-end'
import { Source } from '../text/source'

const MARKS = /[<[\]]|--|(?<=^[ \t]{0,3})[HU*#]/gm

interface QuotedRanges {
  /** Where the model's own turn ends; null if not before the end of the text. */
  readonly turnEnd: number | null
  /** The opening mark (`<pre>`, `<!--`) of the HTML around the segment with this index, or null. */
  readonly markup: readonly (string | null)[]
}

/** Finds ranges that quote parts of a reply without a fence: HTML, and the text after the model's turn. Single pass. */
function findQuotedRanges(
  text: string,
  segments: readonly Segment[],
  isFenced: (offset: number) => boolean,
): QuotedRanges {
  const source = new Source(text, true)
  const markup: (string | null)[] = []
  let turnEnd: number | null = null
  let open: { readonly region: MarkupRegion; readonly mark: string } | null = null
  // A segment that is not text is a call, so nothing inside it opens or closes HTML.
  const callEnd = (from: number): number | null => {
    const at = segmentAt(segments, from)
    return at && at.kind !== 'text' ? at.end : null
  }
  for (const segment of segments) {
    markup.push(open?.mark ?? null)
    if (segment.kind !== 'text') continue
    MARKS.lastIndex = segment.start
    for (let found = MARKS.exec(text); found && found.index < segment.end; found = MARKS.exec(text)) {
      const i = found.index
      if (isFenced(i)) continue
      if (open) {
        const step = open.region.read(source, i)
        step?.commit()
        if (step?.closes) open = null
        if (step) MARKS.lastIndex = step.end
        continue
      }
      const lineStart = isLineStart(source, i)
      if (
        turnEnd === null &&
        (readTurnEnd(source, i, lineStart) ?? (lineStart ? readSpeaker(source, i) : null)) !== null
      )
        turnEnd = i
      const opener = found[0] === '<' ? readMarkupOpener(source, i, lineStart, callEnd) : null
      if (!opener) continue
      open = { region: opener.region, mark: text.slice(i, opener.end) }
      MARKS.lastIndex = opener.end
    }
  }
  return { turnEnd, markup }
}

function segmentAt(segments: readonly Segment[], offset: number): Segment | undefined {
  let low = 0
  let high = segments.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((segments[middle]?.start ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return segments[low]
}

/** What surrounds a part of a reply. `none`: nothing does. */
export type Surrounding =
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'markup'; readonly mark: string }
  | { readonly kind: 'reasoning' | 'blockquote' | 'diff' | 'inline-code' | 'turn-over' | 'none' }

export interface Fence {
  /** First word of the opening line, in lower case; '' without one. */
  readonly language: string
  /** From the opening line's first character to the end of the closing line, or of the text. */
  readonly start: number
  readonly end: number
  /** Start and end of the lines between the fences. */
  readonly content: number
  readonly contentEnd: number
}

export interface Surroundings {
  fenceAt(offset: number): Fence | null
  /** What surrounds the segment with this index. */
  of(index: number): Surrounding
}

const FENCE = /[ \t]*(`{3,}|~{3,})([^\n]{0,200})/y
const MAX_LINE = 500

/**
 * Finds code blocks, quotations and reasoning around the parts of a parsed reply. The reader knows them while it reads
 * but does not keep them; here they are found again in linear time, so that they can be named.
 */
export function findSurroundings(text: string, segments: readonly Segment[]): Surroundings {
  const fences = findFences(text, segments)
  const thought: boolean[] = []
  let open = false
  for (const segment of segments) {
    if (segment.kind === 'reasoning') {
      open = !endsReasoning(text.slice(Math.max(segment.start, segment.end - 200), segment.end))
    } else if (segment.kind !== 'call' || segment.standing !== 'quoted') open = false
    thought.push(open)
  }
  const fenceAt = (offset: number): Fence | null => {
    let low = 0
    let high = fences.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const fence = fences[middle]
      if (!fence) return null
      if (offset < fence.start) high = middle - 1
      else if (offset >= fence.end) low = middle + 1
      else return fence
    }
    return null
  }
  const places = findQuotedRanges(text, segments, (offset) => fenceAt(offset) !== null)
  return {
    fenceAt,
    of(index) {
      const segment = segments[index]
      if (!segment) return { kind: 'none' }
      if (thought[index] === true && segment.kind !== 'reasoning') return { kind: 'reasoning' }
      const mark = places.markup[index]
      if (typeof mark === 'string') return { kind: 'markup', mark }
      const fence = fenceAt(segment.start)
      if (fence && fence.start < segment.start) return { kind: 'fence', fence }
      const before =
        text
          .slice(Math.max(0, segment.start - MAX_LINE), segment.start)
          .split('\n')
          .at(-1) ?? ''
      if (/^\s*>/.test(before) || /^\s*>/.test(text.slice(segment.start, segment.start + 20))) {
        return { kind: 'blockquote' }
      }
      if (places.turnEnd !== null && places.turnEnd < segment.start) return { kind: 'turn-over' }
      if (/^[+-]/.test(before)) return { kind: 'diff' }
      const after = text.slice(segment.end, segment.end + MAX_LINE).split('\n', 1)[0] ?? ''
      return { kind: before.includes('`') && after.includes('`') ? 'inline-code' : 'none' }
    },
  }
}

function findFences(text: string, segments: readonly Segment[]): readonly Fence[] {
  const fences: Fence[] = []
  let open: { char: string; length: number; language: string; start: number; content: number } | null = null
  let index = 0
  for (let at = 0; at < text.length;) {
    while ((segments[index]?.end ?? Infinity) <= at) index++
    const segment = segments[index]
    const next = text.indexOf('\n', at)
    const lineEnd = next < 0 ? text.length : next
    // Lines inside a call or reasoning belong to it.
    if (segment && segment.kind !== 'text' && segment.start <= at) {
      const after = text.indexOf('\n', Math.max(at, segment.end - 1))
      at = after < 0 ? text.length : after + 1
      continue
    }
    FENCE.lastIndex = at
    const found = FENCE.exec(text)
    const marks = found?.[1] ?? ''
    const info = (found?.[2] ?? '').trim()
    if (marks !== '' && !open) {
      if (!(marks.startsWith('`') && info.includes('`'))) {
        const language = /^[^\s{:,]*/.exec(info)?.[0].toLowerCase() ?? ''
        open = {
          char: marks.charAt(0),
          length: marks.length,
          language,
          start: at,
          content: Math.min(text.length, lineEnd + 1),
        }
      }
    } else if (open && marks.startsWith(open.char) && marks.length >= open.length && info === '') {
      fences.push({ language: open.language, start: open.start, content: open.content, contentEnd: at, end: lineEnd })
      open = null
    }
    at = lineEnd + 1
  }
  if (open) {
    const { language, start, content } = open
    fences.push({ language, start, content, contentEnd: text.length, end: text.length })
  }
  return fences
}
