import { chars } from './grammar'
import type { CharsNode } from './grammar'
import type { PatternState, ProseWord } from './prose-automaton'

/* What the words of an automaton of prose are written with. */

export const one = (of: CharsNode): PatternState => ({ of, loop: false })
/** Any number of them, none too. */
export const any = (of: CharsNode): PatternState => ({ of, loop: true })

/** A text as it is. */
export const plain = (text: string): readonly PatternState[] => Array.from(text, (char) => one(chars(char)))
/** A text in any case. */
export const anyCase = (text: string): readonly PatternState[] =>
  Array.from(text, (char) => one(chars([...new Set([char.toLowerCase(), char.toUpperCase()])].join(''))))

export const BLANKS: PatternState = any(chars(' \t'))
export const SPACES: PatternState = any(chars(' \n\r\t'))

/** The parts of JSON with white space between them. */
export const jsonWord = (...parts: readonly string[]): readonly PatternState[] =>
  parts.flatMap((part, i) => [...(i === 0 ? [] : [SPACES]), ...plain(part)])

export const atLineStart = (...rest: readonly PatternState[]): readonly PatternState[] => [
  ...plain('\n'),
  BLANKS,
  ...rest,
]

export const never = (pattern: readonly PatternState[]): ProseWord => ({ pattern, enters: null })
