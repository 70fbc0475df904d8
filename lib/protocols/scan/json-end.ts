import * as Char from '../text/char'
import type { Source } from '../text/source'

/**
 * The end of the JSON value at `start` by string state and brackets alone, however deep and however damaged inside.
 * Null when it does not end.
 */
export function findJsonEnd(source: Source, start: number): number | null {
  let depth = 0
  let inString = false
  for (let i = start; ; i++) {
    const unit = source.at(i)
    if (unit < 0) return null
    if (inString) {
      if (unit === Char.BACKSLASH) i++
      else if (unit === Char.QUOTE) inString = false
    } else if (unit === Char.QUOTE) inString = true
    else if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET) depth++
    else if (unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) {
      if (--depth <= 0) return i + 1
    }
  }
}

/** The same, fed piece by piece: tells when a value that streams may be complete. */
export class JsonEndWatch {
  private depth = 0
  private inString = false
  private escaped = false
  /** The brackets were balanced at least once. */
  done = false

  push(piece: string): void {
    let i = 0
    if (this.escaped && piece !== '') {
      this.escaped = false
      i = 1
    }
    while (i < piece.length) i = this.inString ? this.string(piece, i) : this.structure(piece, i)
  }

  /** The string's rest: to after its quote, else to the end of the piece. */
  private string(piece: string, from: number): number {
    for (let i = from; ;) {
      const quote = piece.indexOf('"', i)
      const end = quote < 0 ? piece.length : quote
      let run = end
      while (run > i && piece.charCodeAt(run - 1) === Char.BACKSLASH) run--
      const escaped = (end - run) % 2 === 1
      if (quote < 0) {
        this.escaped = escaped
        return end
      }
      i = quote + 1
      if (escaped) continue
      this.inString = false
      return i
    }
  }

  /** Brackets, to after the next string's first quote. */
  private structure(piece: string, from: number): number {
    for (let i = from; i < piece.length; i++) {
      const unit = piece.charCodeAt(i)
      if (unit === Char.QUOTE) {
        this.inString = true
        return i + 1
      }
      if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET) this.depth++
      else if ((unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) && --this.depth <= 0) this.done = true
    }
    return piece.length
  }
}
