import { chars } from './grammar'
import type { CharsNode } from './grammar'
import type { PatternPlace, ProseWord } from './prose-automaton'

/* What the words of an automaton of prose are written with. */

export const one = (of: CharsNode): PatternPlace => ({ of, loop: false })
/** Any number of them, none too. */
export const any = (of: CharsNode): PatternPlace => ({ of, loop: true })

/** A text as it is. */
export const plain = (text: string): readonly PatternPlace[] => Array.from(text, (char) => one(chars(char)))
/** A text in any case. */
export const anyCase = (text: string): readonly PatternPlace[] =>
  Array.from(text, (char) => one(chars([...new Set([char.toLowerCase(), char.toUpperCase()])].join(''))))

export const BLANKS: PatternPlace = any(chars(' \t'))
export const SPACES: PatternPlace = any(chars(' \n\r\t'))

/** The parts of JSON with white space between them. */
export const jsonWord = (...parts: readonly string[]): readonly PatternPlace[] =>
  parts.flatMap((part, i) => [...(i === 0 ? [] : [SPACES]), ...plain(part)])

export const atLineStart = (...rest: readonly PatternPlace[]): readonly PatternPlace[] => [
  ...plain('\n'),
  BLANKS,
  ...rest,
]

export const never = (pattern: readonly PatternPlace[]): ProseWord => ({ pattern, enters: null })
