import * as Char from './char'

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** A letter of ASCII. */
export const isLetter = (unit: number): boolean => (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)

/** A letter of any script, as far as one unit tells: no punctuation of Unicode's general, Chinese and full-width blocks. */
const isWideLetter = (unit: number): boolean =>
  unit >= 0xc0 &&
  !(unit >= 0x2000 && unit <= 0x206f) &&
  !(unit >= 0x3000 && unit <= 0x303f) &&
  !(unit >= 0xff00 && unit <= 0xff0f) &&
  unit !== Char.FULL_WIDTH_COLON &&
  unit !== Char.BYTE_ORDER_MARK

/** What a key or a bare word may consist of: letters of any script, digits, `_ $ . -`. */
export const isWordPart = (unit: number): boolean =>
  unit <= Char.LAST_ASCII
    ? isDigit(unit) ||
      isLetter(unit) ||
      unit === Char.UNDERSCORE ||
      unit === Char.DOLLAR ||
      unit === Char.DOT ||
      unit === Char.MINUS
    : isWideLetter(unit)

/** What blocks of fields put around values: beside a text of JSON these are none of its letters. */
export const FIELD_MARKS = '「」始末'

/** White space of Unicode beyond ASCII, and what is invisible: zero-width characters, joiners, a byte order mark. */
const WIDE_SPACES = new Set([
  0x85, 0xa0, 0x1680, 0x180e, 0x200b, 0x200c, 0x200d, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff,
])

/** White space, and the invisible characters that models leak between tokens. */
export const isSpace = (unit: number): boolean =>
  unit <= Char.SPACE
    ? unit === Char.SPACE || (unit >= Char.TAB && unit <= Char.CARRIAGE_RETURN)
    : unit >= 0x85 && (WIDE_SPACES.has(unit) || (unit >= 0x2000 && unit <= 0x200a))
