import { err, ok, type Result } from '@/lib/base/result'
import { findNearest, type NearestPlace } from './find-nearest'

/*
 * Edits are pairs of an exact text and what stands in its place:
 *
 *   [{ search: 'one\ntwo', replace: 'one\n2' }, { search: '…', replace: '…' }]
 *
 * They apply in order, each to what the ones before it left, and each search must occur exactly once there. Only line
 * ends need not agree: a model writes `\n` for a file of `\r\n`, and the file keeps its own.
 */

export interface TextEdit {
  readonly search: string
  readonly replace: string
}

/** `edit` counts from 1. */
export type EditProblem =
  | {
      readonly kind: 'not-found'
      readonly edit: number
      readonly nearest: NearestPlace | null
      /** It was in the file until an edit before it changed that place. */
      readonly wasThere: boolean
    }
  | { readonly kind: 'ambiguous'; readonly edit: number; readonly lines: readonly number[] }
  | { readonly kind: 'no-change'; readonly edit: number }

export interface Edited {
  readonly text: string
  /** For each edit, the line (from 1) of the text at that time where it began. */
  readonly lines: readonly number[]
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Places that are named when a search is not unique. */
const maxPlaces = 20

export const toLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n')

/** Places of a search, whichever line ends text and search have; overlapping ones count. Stops at `most`. */
function findSpans(text: string, search: string, most: number): readonly Span[] {
  const flat = toLineFeeds(text)
  const wanted = toLineFeeds(search)
  const starts: number[] = []
  for (let at = flat.indexOf(wanted); at >= 0 && starts.length < most; at = flat.indexOf(wanted, at + 1))
    starts.push(at)
  if (flat.length === text.length) return starts.map((start) => ({ start, end: start + wanted.length }))
  // Offsets in `flat` become offsets in `text` by the carriage returns that were left out before them.
  const toText = (offset: number) => {
    let left = 0
    for (let at = text.indexOf('\r\n'); at >= 0 && at - left < offset; at = text.indexOf('\r\n', at + 2)) left += 1
    return offset + left
  }
  return starts.map((start) => ({ start: toText(start), end: toText(start + wanted.length) }))
}

const countLineEnds = (text: string) => {
  const windows = text.split('\r\n').length - 1
  return { windows, unix: text.split('\n').length - 1 - windows }
}

/** The line ends that a replacement gets: those of the place, else those of the file; a text without any takes all. */
function withLineEndsOf(place: string, whole: string, replacement: string): string {
  for (const text of [place, whole]) {
    const { windows, unix } = countLineEnds(text)
    if (windows + unix > 0) {
      const flat = toLineFeeds(replacement)
      return windows > unix ? flat.replaceAll('\n', '\r\n') : flat
    }
  }
  return replacement
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** All edits applied, or the first one that does not fit; then nothing is. */
export function applyEdits(original: string, edits: readonly TextEdit[]): Result<Edited, EditProblem> {
  let text = original
  const lines: number[] = []
  for (const [index, { search, replace }] of edits.entries()) {
    const edit = index + 1
    const spans = findSpans(text, search, maxPlaces)
    const [span] = spans
    if (span === undefined) {
      const wasThere = index > 0 && findSpans(original, search, 1).length > 0
      return err({ kind: 'not-found', edit, nearest: findNearest(text, search), wasThere })
    }
    if (spans.length > 1) {
      const places = spans.map(({ start }) => lineAt(text, start))
      return err({ kind: 'ambiguous', edit, lines: places })
    }
    const place = text.slice(span.start, span.end)
    const put = withLineEndsOf(place, text, replace)
    if (put === place) return err({ kind: 'no-change', edit })
    lines.push(lineAt(text, span.start))
    text = text.slice(0, span.start) + put + text.slice(span.end)
  }
  return ok({ text, lines })
}
