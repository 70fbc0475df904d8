import { sentencesOf } from '../catalogue'
import type { Mark, MarkKind } from './mark'

const sentence = sentencesOf({
  'base.marks.invisible': '{count, plural, one {# invisible character} other {# invisible characters}}',
  'base.marks.direction':
    '{count, plural, one {# character that turns the order of letters} other {# characters that turn the order of letters}}',
  'base.marks.control': '{count, plural, one {# control character} other {# control characters}}',
  'base.marks.line-end': '{count, plural, one {# unusual line end} other {# unusual line ends}}',
  'base.marks.blank': '{count, plural, one {# unusual blank} other {# unusual blanks}}',
  'base.marks.look-alike':
    '{count, plural, one {# letter that looks like another} other {# letters that look like others}}: {letters, list}{more, select, true { …} other {}}',
  'base.marks.meaningless':
    '{count, plural, one {# character without a meaning} other {# characters without a meaning}}',
  'base.marks.piled':
    '{count, plural, one {# accent that can’t be told apart} other {# accents that can’t be told apart}}',
  'base.marks.several': '{others, list} and {last}',
  'base.marks.held': 'It holds {words}.',
})

/** A mark and the text that it marks. */
export interface MarkedText {
  readonly mark: Mark
  readonly text: string
}

const NAMED = 3

/** "3 invisible characters and 1 letter that looks like another: а (U+0430)"; '' for nothing. */
export function markWords(marked: readonly MarkedText[]): string {
  const counts = new Map<MarkKind, number>()
  for (const { mark } of marked) counts.set(mark.kind, (counts.get(mark.kind) ?? 0) + mark.count)
  const phrases: string[] = []
  for (const [kind, count] of counts) {
    if (kind === 'look-alike') continue
    phrases.push(sentence(`base.marks.${kind}`, { count }))
  }
  const alike = counts.get('look-alike') ?? 0
  if (alike > 0) {
    const letters = [
      ...new Set(marked.flatMap(({ mark, text }) => (mark.kind === 'look-alike' ? [`${text} (${mark.label})`] : []))),
    ]
    const more = letters.length > NAMED
    phrases.push(sentence('base.marks.look-alike', { count: alike, letters: letters.slice(0, NAMED), more }))
  }
  const last = phrases.pop()
  if (last === undefined || phrases.length === 0) return last ?? ''
  return sentence('base.marks.several', { others: phrases, last })
}

/** "It holds 3 invisible characters."; '' where everything shows. */
export function heldWords(marked: readonly MarkedText[]): string {
  const words = markWords(marked)
  return words === '' ? '' : sentence('base.marks.held', { words })
}
