import type { Source } from './source'

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
      if (unit === 0x5c) i++
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) depth++
    else if (unit === 0x7d || unit === 0x5d) {
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
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i)
      if (this.escaped) this.escaped = false
      else if (this.inString) {
        if (unit === 0x5c) this.escaped = true
        else if (unit === 0x22) this.inString = false
      } else if (unit === 0x22) this.inString = true
      else if (unit === 0x7b || unit === 0x5b) this.depth++
      else if ((unit === 0x7d || unit === 0x5d) && --this.depth <= 0) this.done = true
    }
  }
}
