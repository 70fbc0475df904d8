import * as Char from '../text/char'
/** JSON's signs as models write them. All take UTF-16 units; -1 (the end) belongs to none. */

/** Opening quote → the quotes that close it. */
const CLOSERS = new Map<number, readonly number[]>([
  [Char.QUOTE, [Char.QUOTE]],
  [Char.APOSTROPHE, [Char.APOSTROPHE]],
  [Char.BACKTICK, [Char.BACKTICK]],
  [Char.LEFT_QUOTE, [Char.RIGHT_QUOTE, Char.LEFT_QUOTE]],
  [Char.RIGHT_QUOTE, [Char.RIGHT_QUOTE]],
  [Char.LOW_QUOTE, [Char.RIGHT_QUOTE, Char.LEFT_QUOTE]],
  [Char.LEFT_SINGLE_QUOTE, [Char.RIGHT_SINGLE_QUOTE]],
  [Char.RIGHT_SINGLE_QUOTE, [Char.RIGHT_SINGLE_QUOTE]],
  [Char.FULL_WIDTH_QUOTE, [Char.FULL_WIDTH_QUOTE]],
])

export const closersOf = (code: number): readonly number[] | undefined => CLOSERS.get(code)
export const isQuote = (code: number): boolean =>
  code === Char.QUOTE ||
  code === Char.APOSTROPHE ||
  code === Char.BACKTICK ||
  (code >= Char.LEFT_SINGLE_QUOTE && CLOSERS.has(code))
export const isColon = (code: number): boolean => code === Char.COLON || code === Char.FULL_WIDTH_COLON
export const isComma = (code: number): boolean => code === Char.COMMA || code === Char.FULL_WIDTH_COMMA
