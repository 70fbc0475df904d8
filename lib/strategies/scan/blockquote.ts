import type { Source } from './source'

export interface Quotation {
  readonly end: number
  /** The lines without their marks. */
  readonly text: string
  /** Offset in the source for an offset in `text`. */
  place(offset: number): number
}

/** The lines from `start` on that begin with `>`; null when the first does not. */
export function readBlockquote(source: Source, start: number): Quotation | null {
  const lines: { at: number; from: number }[] = []
  let text = ''
  let i = start
  while (source.at(source.skipBlanks(i)) === 0x3e) {
    let from = source.skipBlanks(i)
    while (source.at(from) === 0x3e) {
      from++
      if (source.at(from) === 0x20) from++
    }
    let end = source.find('\n', from)
    end = end < 0 ? source.text.length : end + 1
    lines.push({ at: text.length, from })
    text += source.text.slice(from, end)
    i = end
    if (i >= source.text.length && source.at(i) < 0) break
  }
  if (lines.length === 0) return null
  return {
    end: i,
    text,
    place(offset) {
      let low = 0
      let high = lines.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((lines[middle]?.at ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      const line = lines[low]
      return line ? line.from + (offset - line.at) : offset
    },
  }
}
