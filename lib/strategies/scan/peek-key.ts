import { closersOf, isColon, isWordPart } from '../json-repair/characters'
import type { Source } from './source'

const MAX_KEY = 128

/**
 * The first key of the object whose brace stands at `start`, or null when no object with keys begins there. A cheap look
 * that keeps braces of prose and code from being read as JSON; doubled braces and comments are looked through.
 */
export function peekKey(source: Source, start: number): string | null {
  let i = source.skipSpace(start + 1)
  for (let doubled = 0; source.at(i) === 0x7b && doubled < 4; doubled++) i = source.skipSpace(i + 1)
  if (source.at(i) === 0x2f) {
    const next = source.at(i + 1)
    if (next !== 0x2f && next !== 0x2a) return null
    const end = source.find(next === 0x2f ? '\n' : '*/', i + 2)
    if (end < 0) return null
    i = source.skipSpace(end + (next === 0x2f ? 1 : 2))
  }
  if (source.at(i) === 0x3c && source.has(i, '<|"|>')) {
    const end = source.find('<|"|>', i + 5)
    return end < 0 || end - i > MAX_KEY ? null : source.text.slice(i + 5, end)
  }
  const closers = closersOf(source.at(i))
  let end = closers ? i + 1 : i
  for (;;) {
    const unit = source.at(end)
    if (unit < 0 || unit === 0x0a || end - i > MAX_KEY) return null
    if (closers ? closers.includes(unit) || unit === 0x201d : !isWordPart(unit)) break
    end++
  }
  const key = source.text.slice(closers ? i + 1 : i, end)
  const colon = source.skipSpace(closers ? end + 1 : end)
  return key !== '' && isColon(source.at(colon)) ? key : null
}
