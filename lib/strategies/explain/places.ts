import { t } from '@/lib/i18n/t'

/** From 1, as editors count; columns are UTF-16 units. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

export interface Places {
  readonly lines: number
  at(offset: number): TextPlace
  /** "line 3", "lines 5 to 7" for `[start, end)`; a line break at the very end counts for no line of its own. */
  words(start: number, end: number): string
}

/** Finds lines by offset; built once a text. */
export function createPlaces(text: string): Places {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const at = (offset: number): TextPlace => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
  return {
    lines: starts.length,
    at,
    words(start, end) {
      const first = at(start).line
      const last = at(Math.max(start, end - 1)).line
      return first === last ? t('explain.line', { line: first }) : t('explain.lines', { first, last })
    },
  }
}
