import { belongsToEmoji } from './hidden'
import type { Mark, MarkKind } from './mark'
import { marksOf } from './marks-of'

/** What no new name may hold: it would look like another name, or turn round what stands beside it. */
const barred: ReadonlySet<MarkKind> = new Set(['invisible', 'direction', 'control', 'line-end'])

const barredMarks = (name: string): readonly Mark[] =>
  marksOf(name, 'name').filter(({ kind, start }) => barred.has(kind) && !belongsToEmoji(name, start))

/** The first character that a new name may not hold, as "U+200B"; null where there is none. */
export function barredInName(name: string): string | null {
  const [mark] = barredMarks(name)
  return mark ? mark.label.replace(/ × .*/, '') : null
}

/** A name or path without what no new name may hold. A name of nothing else becomes "file". */
export function cleanName(path: string): string {
  let cleaned = ''
  let at = 0
  for (const { start, end } of barredMarks(path)) {
    cleaned += path.slice(at, start)
    at = end
  }
  if (at === 0 && cleaned === '') return path
  const before = path.split('/')
  const parts = (cleaned + path.slice(at)).split('/')
  // What is left may be no name at all, or one that leads elsewhere.
  return parts.map((part, index) => (/^\s*\.{0,2}\s*$/.test(part) && part !== before[index] ? 'file' : part)).join('/')
}
