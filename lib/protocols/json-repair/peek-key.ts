import * as Char from '../text/char'
import { isWordPart } from '../text/characters'
import type { Source } from '../text/source'
import { closersOf, isColon } from './characters'

const MAX_KEY = 128

/** The brace before `i`, white space aside; -1 where another thing stands. */
export function braceBefore(source: Source, i: number): number {
  do i--
  while (i >= 0 && source.text.charCodeAt(i) <= Char.SPACE)
  return source.text[i] === '{' ? i : -1
}

/**
 * The first key of the object whose brace stands at `start`, or null when no object with keys begins there. A cheap look
 * that keeps braces of prose and code from being read as JSON; doubled braces and comments are looked through.
 */
export function peekKey(source: Source, start: number): string | null {
  let i = source.skipSpace(start + 1)
  for (let doubled = 0; source.at(i) === Char.OPEN_BRACE && doubled < 4; doubled++) i = source.skipSpace(i + 1)
  if (source.at(i) === Char.SLASH) {
    const next = source.at(i + 1)
    if (next !== Char.SLASH && next !== Char.STAR) return null
    const end = source.find(next === Char.SLASH ? '\n' : '*/', i + 2)
    if (end < 0) return null
    i = source.skipSpace(end + (next === Char.SLASH ? 1 : 2))
  }
  if (source.at(i) === Char.LESS && source.has(i, '<|"|>')) {
    const end = source.find('<|"|>', i + 5)
    return end < 0 || end - i > MAX_KEY ? null : source.text.slice(i + 5, end)
  }
  const closers = closersOf(source.at(i))
  let end = closers ? i + 1 : i
  for (;;) {
    const unit = source.at(end)
    if (unit < 0 || unit === Char.LINE_FEED || end - i > MAX_KEY) return null
    if (closers ? closers.includes(unit) || unit === Char.RIGHT_QUOTE : !isWordPart(unit)) break
    end++
  }
  const key = source.text.slice(closers ? i + 1 : i, end)
  const colon = source.skipSpace(closers ? end + 1 : end)
  return key !== '' && isColon(source.at(colon)) ? key : null
}
