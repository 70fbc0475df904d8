/** UTF-16 units by name, as readers compare them; -1, the end of a text, equals none of them. */

export const TAB = 0x09
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
/** White space and control characters are at or below it. */
export const SPACE = 0x20
export const BANG = 0x21
export const QUOTE = 0x22
export const HASH = 0x23
export const DOLLAR = 0x24
export const APOSTROPHE = 0x27
export const OPEN_PAREN = 0x28
export const CLOSE_PAREN = 0x29
export const STAR = 0x2a
export const PLUS = 0x2b
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const SLASH = 0x2f
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const LESS = 0x3c
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const AT = 0x40
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const UNDERSCORE = 0x5f
export const BACKTICK = 0x60
export const OPEN_BRACE = 0x7b
export const PIPE = 0x7c
export const CLOSE_BRACE = 0x7d
export const TILDE = 0x7e
export const LAST_ASCII = 0x7f
/** `‘’ “” „` */
export const LEFT_SINGLE_QUOTE = 0x2018
export const RIGHT_SINGLE_QUOTE = 0x2019
export const LEFT_QUOTE = 0x201c
export const RIGHT_QUOTE = 0x201d
export const LOW_QUOTE = 0x201e
export const ELLIPSIS = 0x2026
/** `◁ ▷` */
export const LEFT_TRIANGLE = 0x25c1
export const RIGHT_TRIANGLE = 0x25b7
/** `「` */
export const LEFT_CORNER = 0x300c
export const FULL_WIDTH_QUOTE = 0xff02
export const FULL_WIDTH_COMMA = 0xff0c
export const FULL_WIDTH_COLON = 0xff1a
export const BYTE_ORDER_MARK = 0xfeff
export const LAST_CODE_POINT = 0x10ffff

export const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** An ASCII letter. */
export const isLetter = (unit: number): boolean => (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)

/**
 * A letter of any script, as far as one unit shows: excludes the punctuation in Unicode's general, Chinese and
 * full-width blocks.
 */
const isWideLetter = (unit: number): boolean =>
  unit >= 0xc0 &&
  !(unit >= 0x2000 && unit <= 0x206f) &&
  !(unit >= 0x3000 && unit <= 0x303f) &&
  !(unit >= 0xff00 && unit <= 0xff0f) &&
  unit !== FULL_WIDTH_COLON &&
  unit !== BYTE_ORDER_MARK

/** The characters of a key or a bare word: letters of any script, digits, `_ $ . -`. */
export const isWordPart = (unit: number): boolean =>
  unit <= LAST_ASCII
    ? isDigit(unit) || isLetter(unit) || unit === UNDERSCORE || unit === DOLLAR || unit === DOT || unit === MINUS
    : isWideLetter(unit)

/** The marks around values in blocks of fields; beside a JSON text they are not part of it. */
export const FIELD_MARKS = '「」始末'

/** Unicode white space beyond ASCII, and invisible characters: zero-width characters, joiners, a byte order mark. */
const WIDE_SPACES = new Set([
  0x85, 0xa0, 0x1680, 0x180e, 0x200b, 0x200c, 0x200d, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff,
])

/** White space, and the invisible characters that models leak between tokens. */
export const isSpace = (unit: number): boolean =>
  unit <= SPACE
    ? unit === SPACE || (unit >= TAB && unit <= CARRIAGE_RETURN)
    : unit >= 0x85 && (WIDE_SPACES.has(unit) || (unit >= 0x2000 && unit <= 0x200a))

/**
 * What a reader knows for certain while its text is still incomplete: where the protocol text begins, and for which
 * tool.
 */
export interface Certainty {
  readonly start: number
  readonly name: string | null
  /** Text that must occur before the call can be complete, if JSON brackets are not significant. */
  readonly until?: string
}

/**
 * A window on the text. Readers access it through `at`, `has`, `skipSpace`: reading past the end marks the source as
 * starved, and the scanner then discards the step's outcome and waits for more text. This alone makes every decision
 * independent of how the text was cut into chunks.
 */
export class Source {
  text: string
  final: boolean
  /** Offset of the window in the whole text. */
  base = 0
  starved = false
  /** The furthest offset that was read, to account for repeated reads. */
  reach = 0
  certain: Certainty | null = null

  constructor(text: string, final: boolean) {
    this.text = text
    this.final = final
  }

  /** The UTF-16 unit at `i`, or -1 at the end. */
  at(i: number): number {
    if (i > this.reach) this.reach = i
    if (i < this.text.length) return this.text.charCodeAt(i)
    this.starved = true
    return -1
  }

  /** True if `literal` is at `i`. With `fold`, literals in lower case match any case. */
  has(i: number, literal: string, fold = false): boolean {
    if (!fold && i + literal.length <= this.text.length) return this.text.startsWith(literal, i)
    const part = this.text.slice(i, i + literal.length)
    const seen = fold ? part.toLowerCase() : part
    if (seen === literal) return true
    if (part.length < literal.length && literal.startsWith(seen)) this.starved = true
    return false
  }

  /** The end of the white space at `i`. */
  skipSpace(i: number): number {
    while (isSpace(this.at(i))) i++
    return i
  }

  /** The end of the blanks (not line ends) at `i`. */
  skipBlanks(i: number): number {
    for (;;) {
      const code = this.at(i)
      if (code !== SPACE && code !== TAB) return i
      i++
    }
  }

  /** The next offset of `needle`, or -1, which means starved. */
  find(needle: string, from: number): number {
    const found = this.text.indexOf(needle, from)
    if (found < 0) this.starved = true
    this.reach = Math.max(this.reach, found < 0 ? this.text.length : found)
    return found
  }

  /**
   * Matches a sticky expression (flag `y`) whose matches are at most `reach` long. Call it only after a literal opener:
   * a failed match near the end holds the text back.
   */
  match(expression: RegExp, i: number, reach = 300): RegExpExecArray | null {
    expression.lastIndex = i
    const found = expression.exec(this.text)
    const end = found ? i + found[0].length : i + reach - 1
    if (end >= this.text.length) this.starved = true
    return found
  }

  /** Whether the decision holds, whatever text follows. */
  get decided(): boolean {
    return this.final || !this.starved
  }
}
