import * as Char from './char'
import { isSpace } from './characters'
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
