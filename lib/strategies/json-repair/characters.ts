import {
  APOSTROPHE,
  BACKTICK,
  COLON,
  COMMA,
  FULL_WIDTH_COLON,
  FULL_WIDTH_COMMA,
  FULL_WIDTH_QUOTE,
  LEFT_QUOTE,
  LEFT_SINGLE_QUOTE,
  LOW_QUOTE,
  QUOTE,
  RIGHT_QUOTE,
  RIGHT_SINGLE_QUOTE,
} from '../text/characters'
/** JSON's signs as models write them. All take UTF-16 units; -1 (the end) belongs to none. */

/** Opening quote → the quotes that close it. */
const CLOSERS = new Map<number, readonly number[]>([
  [QUOTE, [QUOTE]],
  [APOSTROPHE, [APOSTROPHE]],
  [BACKTICK, [BACKTICK]],
  [LEFT_QUOTE, [RIGHT_QUOTE, LEFT_QUOTE]],
  [RIGHT_QUOTE, [RIGHT_QUOTE]],
  [LOW_QUOTE, [RIGHT_QUOTE, LEFT_QUOTE]],
  [LEFT_SINGLE_QUOTE, [RIGHT_SINGLE_QUOTE]],
  [RIGHT_SINGLE_QUOTE, [RIGHT_SINGLE_QUOTE]],
  [FULL_WIDTH_QUOTE, [FULL_WIDTH_QUOTE]],
])

export const closersOf = (code: number): readonly number[] | undefined => CLOSERS.get(code)
export const isQuote = (code: number): boolean =>
  code === QUOTE || code === APOSTROPHE || code === BACKTICK || (code >= LEFT_SINGLE_QUOTE && CLOSERS.has(code))
export const isColon = (code: number): boolean => code === COLON || code === FULL_WIDTH_COLON
export const isComma = (code: number): boolean => code === COMMA || code === FULL_WIDTH_COMMA
