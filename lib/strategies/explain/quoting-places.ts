import { isLineStart } from '../scan/fences'
import { readMarkupOpener } from '../scan/markup-regions'
import type { MarkupRegion } from '../scan/markup-regions'
import { readSpeaker, readTurnEnd } from '../scan/turn-end'
import type { Segment } from '../segment'
import { Source } from '../text/source'

const MARKS = /[<[\]]|--|(?<=^[ \t]{0,3})[HU*#]/gm

export interface QuotingPlaces {
  /** Where the model's own turn is over; null when it is not before the end. */
  readonly turnEnd: number | null
  /** The opening mark (`<pre>`, `<!--`) of the HTML around the segment of this index, or null. */
  readonly markup: readonly (string | null)[]
}

/** Finds what quotes parts of a reply without a fence: HTML, and the end of the model's turn. One pass over its text. */
export function findQuotingPlaces(
  text: string,
  segments: readonly Segment[],
  isFenced: (offset: number) => boolean,
): QuotingPlaces {
  const source = new Source(text, true)
  const markup: (string | null)[] = []
  let turnEnd: number | null = null
  let open: { readonly region: MarkupRegion; readonly mark: string } | null = null
  // A segment that is no text is a call, and none of its words open or close anything.
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
