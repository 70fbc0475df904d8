import type { Segment } from './segment'

let failing = false

/** Makes a reply whose segments do not tile its text an error from now on: for tests and fuzzers. */
export function failOnGaps(): void {
  failing = true
}

/** Where segments do not follow one another from 0 to `length`; null if they tile it. */
export function findGap(segments: readonly Segment[], length: number): string | null {
  let at = 0
  for (const { kind, start, end } of segments) {
    if (start !== at || end <= at) return `${kind} [${start}, ${end}) follows ${at}`
    at = end
  }
  return at === length ? null : `the segments end at ${at} of ${length}`
}

/**
 * Ensures that every character of a reply belongs to exactly one segment, so that a bug in a reader loses no text:
 * uncovered text becomes a text segment, and overlapping text belongs to the first segment.
 */
export function tiled(segments: readonly Segment[], length: number): readonly Segment[] {
  const gap = findGap(segments, length)
  if (gap === null) return segments
  if (failing) throw new Error(`The segments of a reply do not tile it: ${gap}`)
  const result: Segment[] = []
  let at = 0
  const textUpTo = (end: number) => {
    if (end > at) result.push({ kind: 'text', start: at, end })
    at = Math.max(at, end)
  }
  for (const segment of segments) {
    textUpTo(Math.min(segment.start, length))
    const end = Math.min(segment.end, length)
    if (end <= at) continue
    result.push({ ...segment, start: at, end })
    at = end
  }
  textUpTo(length)
  return result
}
