import * as Char from '../text/char'
import type { Source } from '../text/source'
import { runEnd } from './fences'

const MAX_SPAN = 2000

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
