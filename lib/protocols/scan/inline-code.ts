import * as Char from '../text/char'
import type { Source } from '../text/source'
import { runEnd } from './fences'

const MAX_SPAN = 2000

/** Whether backticks stand right around a place, as many before it as behind: a span of code, over however many lines. */
export function isSpanOfCode(source: Source, start: number, end: number): boolean {
  let from = start
  while (source.at(from - 1) === Char.BACKTICK) from--
  // More are a fence.
  const length = start - from
  return length > 0 && length <= 2 && source.at(end) === Char.BACKTICK && runEnd(source, end) - end === length
}

/** The end of the code span whose backticks stand at `i`, or null when it does not close on its line. */
export function inlineCodeEnd(source: Source, i: number): number | null {
  const open = runEnd(source, i)
  const length = open - i
  for (let at = open; at - open <= MAX_SPAN;) {
    const unit = source.at(at)
    if (unit < 0 || unit === Char.LINE_FEED) return null
    if (unit !== Char.BACKTICK) {
      at++
      continue
    }
    const end = runEnd(source, at)
    if (end - at === length) return end
    at = end
  }
  return null
}
