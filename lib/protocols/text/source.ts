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

/** What a reader is sure of while its text is still incomplete: from where it is protocol, and for which tool. */
export interface Certainty {
  readonly start: number
  readonly name: string | null
  /** What the text must hold before it can be complete, where JSON brackets don't tell. */
  readonly until?: string
}

/**
 * A window on the text that is read. Readers look at it through `at`, `has`, `skipSpace`: a look past the end marks the
 * source as starved, and the scanner then throws the step's outcome away and waits for more text. That alone makes
 * every decision independent of how the text was cut into chunks.
 */
export class Source {
  text: string
  final: boolean
  /** Offset of the window in the whole text. */
  base = 0
  starved = false
  /** The furthest that was looked at, for the account of repeated looks. */
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

  /** True when `literal` stands at `i`. `lower` literals match any case when `fold` is set. */
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
      if (code !== Char.SPACE && code !== Char.TAB) return i
      i++
    }
  }

  /** Where `needle` next stands, or -1; not found means starved. */
  find(needle: string, from: number): number {
    const found = this.text.indexOf(needle, from)
    if (found < 0) this.starved = true
    this.reach = Math.max(this.reach, found < 0 ? this.text.length : found)
    return found
  }

  /**
   * Matches a sticky expression (flag `y`) whose matches are at most `reach` long. Ask only where a literal opener was
   * seen: a failed match near the end holds the text back.
   */
  match(expression: RegExp, i: number, reach = 300): RegExpExecArray | null {
    expression.lastIndex = i
    const found = expression.exec(this.text)
    const end = found ? i + found[0].length : i + reach - 1
    if (end >= this.text.length) this.starved = true
    return found
  }

  /** Whether what was decided holds whatever text follows. */
  get decided(): boolean {
    return this.final || !this.starved
  }
}
