import { marksOf } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'
import type { Mark, MarkKind } from '@/lib/base/untrusted-text/mark'

/** A mark and the text that it marks. */
export interface MarkedText {
  readonly mark: Mark
  readonly text: string
}

const NAMED = 3

/** "3 invisible characters and 1 letter that looks like another: а (U+0430)"; '' if there are none. */
export function hiddenCharacterLabel(marked: readonly MarkedText[]): string {
  const counts = new Map<MarkKind, number>()
  for (const { mark } of marked) counts.set(mark.kind, (counts.get(mark.kind) ?? 0) + mark.count)
  const phrases: string[] = []
  for (const [kind, count] of counts) {
    if (kind === 'look-alike') continue
    phrases.push(t(`base.marks.${kind}`, { count }))
  }
  const alike = counts.get('look-alike') ?? 0
  if (alike > 0) {
    const letters = [
      ...new Set(marked.flatMap(({ mark, text }) => (mark.kind === 'look-alike' ? [`${text} (${mark.label})`] : []))),
    ]
    const more = letters.length > NAMED
    phrases.push(t('base.marks.look-alike', { count: alike, letters: letters.slice(0, NAMED), more }))
  }
  const last = phrases.pop()
  if (last === undefined || phrases.length === 0) return last ?? ''
  return t('base.marks.several', { others: phrases, last })
}

/** "It holds 3 invisible characters."; '' if everything is visible. */
export function heldCallsText(marked: readonly MarkedText[]): string {
  const words = hiddenCharacterLabel(marked)
  return words === '' ? '' : t('base.marks.held', { words })
}

/** The invisible characters of a text for users: "12 invisible characters"; '' if there are none. */
export const invisibleText = (text: string): string =>
  hiddenCharacterLabel(marksOf(text, 'prose').map((mark) => ({ mark, text: text.slice(mark.start, mark.end) })))

/** The visible text: without invisible characters, unusual line ends as plain ones, repeated blanks as one. */
export function withoutUnseen(text: string): string {
  let seen = ''
  let at = 0
  for (const { kind, start, end } of marksOf(text, 'prose')) {
    seen += text.slice(at, start) + (kind === 'line-end' ? '\n' : kind === 'blank' ? ' ' : '')
    at = end
  }
  const rest = seen + text.slice(at)
  // The removed characters may have separated what now belongs together, such as half an emoji.
  return rest === text ? text : withoutUnseen(rest)
}
