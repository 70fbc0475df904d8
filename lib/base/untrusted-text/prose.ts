import { marksButTwins } from './marks-but-twins'
import { partsOf, visible, type ForeignPart } from './parts'

/*
 * Foreign text that is written for people: all that the first screen shows. What looks like something else is told in code and
 * names alone, and the tables of that (`foreign-text.ts`) come with the first part that shows one.
 */

/** As `foreignParts(text, 'prose')`. */
export const proseParts = (text: string): readonly ForeignPart[] => partsOf(text, 'prose', marksButTwins(text, 'prose'))

/** As `visibleText(text, 'prose')`. */
export const visibleProse = (text: string): string => visible(proseParts(text))
