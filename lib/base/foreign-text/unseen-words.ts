import { markWords } from './mark-words'
import { marksOf } from './marks-of'

/** What a text for people holds that does not show: "12 invisible characters"; '' for nothing. */
export const unseenWords = (text: string): string =>
  markWords(marksOf(text, 'prose').map((mark) => ({ mark, text: text.slice(mark.start, mark.end) })))
