import { plural, type Forms } from '@/lib/base/locale'
import type { Mark, MarkKind } from './mark'

const words: Readonly<Record<Exclude<MarkKind, 'look-alike'>, Forms>> = {
  invisible: { one: 'invisible character', other: 'invisible characters' },
  direction: { one: 'character that turns the order of letters', other: 'characters that turn the order of letters' },
  control: { one: 'control character', other: 'control characters' },
  'line-end': { one: 'unusual line end', other: 'unusual line ends' },
  blank: { one: 'unusual blank', other: 'unusual blanks' },
  meaningless: { one: 'character without a meaning', other: 'characters without a meaning' },
  piled: { one: 'accent that can’t be told apart', other: 'accents that can’t be told apart' },
}

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
    phrases.push(`${count} ${plural(count, words[kind])}`)
  }
  const alike = counts.get('look-alike') ?? 0
  if (alike > 0) {
    const letters = [
      ...new Set(marked.flatMap(({ mark, text }) => (mark.kind === 'look-alike' ? [`${text} (${mark.label})`] : []))),
    ]
    const more = letters.length > NAMED ? ' …' : ''
    const what = plural(alike, {
      one: '1 letter that looks like another',
      other: `${alike} letters that look like others`,
    })
    phrases.push(`${what}: ${letters.slice(0, NAMED).join(', ')}${more}`)
  }
  const last = phrases.pop()
  return last === undefined ? '' : phrases.length === 0 ? last : `${phrases.join(', ')} and ${last}`
}
