import * as Char from './char'

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
  unit !== Char.FULL_WIDTH_COLON &&
  unit !== Char.BYTE_ORDER_MARK

/** The characters of a key or a bare word: letters of any script, digits, `_ $ . -`. */
export const isWordPart = (unit: number): boolean =>
  unit <= Char.LAST_ASCII
    ? isDigit(unit) ||
      isLetter(unit) ||
      unit === Char.UNDERSCORE ||
      unit === Char.DOLLAR ||
      unit === Char.DOT ||
      unit === Char.MINUS
    : isWideLetter(unit)

/** The marks around values in blocks of fields; beside a JSON text they are not part of it. */
export const FIELD_MARKS = '「」始末'

/** Unicode white space beyond ASCII, and invisible characters: zero-width characters, joiners, a byte order mark. */
const WIDE_SPACES = new Set([
  0x85, 0xa0, 0x1680, 0x180e, 0x200b, 0x200c, 0x200d, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff,
])

/** White space, and the invisible characters that models leak between tokens. */
export const isSpace = (unit: number): boolean =>
  unit <= Char.SPACE
    ? unit === Char.SPACE || (unit >= Char.TAB && unit <= Char.CARRIAGE_RETURN)
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
      if (code !== Char.SPACE && code !== Char.TAB) return i
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
