import { markWords } from '@/lib/i18n/mark-words'
import { marksOf } from '@/lib/base/untrusted-text/marks-of'

/** What a text for people holds that does not show: "12 invisible characters"; '' for nothing. */
export const invisibleText = (text: string): string =>
  markWords(marksOf(text, 'prose').map((mark) => ({ mark, text: text.slice(mark.start, mark.end) })))

/** The text as it is seen: without what does not show, an unusual line end as a plain one, many blanks as one. */
export function withoutUnseen(text: string): string {
  let seen = ''
  let at = 0
  for (const { kind, start, end } of marksOf(text, 'prose')) {
    seen += text.slice(at, start) + (kind === 'line-end' ? '\n' : kind === 'blank' ? ' ' : '')
    at = end
  }
  const rest = seen + text.slice(at)
  // What was taken out may have held apart what now belongs together, such as half an emoji.
  return rest === text ? text : withoutUnseen(rest)
}
