import type { Mark, MarkKind } from './mark'

const words: Readonly<Record<Exclude<MarkKind, 'look-alike'>, readonly [string, string]>> = {
  invisible: ['invisible character', 'invisible characters'],
  direction: ['character that turns the order of letters', 'characters that turn the order of letters'],
  control: ['control character', 'control characters'],
  'line-end': ['unusual line end', 'unusual line ends'],
  blank: ['unusual blank', 'unusual blanks'],
  meaningless: ['character without a meaning', 'characters without a meaning'],
  piled: ['accent that can’t be told apart', 'accents that can’t be told apart'],
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
    phrases.push(`${count} ${words[kind][count === 1 ? 0 : 1]}`)
  }
  const alike = counts.get('look-alike') ?? 0
  if (alike > 0) {
    const letters = [
      ...new Set(marked.flatMap(({ mark, text }) => (mark.kind === 'look-alike' ? [`${text} (${mark.label})`] : []))),
    ]
    const more = letters.length > NAMED ? ' …' : ''
    const what = alike === 1 ? '1 letter that looks like another' : `${alike} letters that look like others`
    phrases.push(`${what}: ${letters.slice(0, NAMED).join(', ')}${more}`)
  }
  const last = phrases.pop()
  return last === undefined ? '' : phrases.length === 0 ? last : `${phrases.join(', ')} and ${last}`
}
