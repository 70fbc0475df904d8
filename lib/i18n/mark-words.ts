import { t } from '@/lib/i18n/t'
import type { Mark, MarkKind } from '@/lib/base/untrusted-text/mark'

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

/** "It holds 3 invisible characters."; '' where everything shows. */
export function heldWords(marked: readonly MarkedText[]): string {
  const words = markWords(marked)
  return words === '' ? '' : t('base.marks.held', { words })
}
