/** Characters of a line that take about one row where there is room for code. */
const rowLength = 100

/** Rows that a line takes once it is wrapped. */
export const lineRows = (length: number): number => Math.max(1, Math.ceil(length / rowLength))

export interface ClippedLines<L> {
  readonly shown: readonly L[]
  /** Lines that show in part or not at all. */
  readonly hidden: number
  /** Characters of the last shown line that are cut off. */
  readonly cut: number
}

/**
 * The first lines, as many as take `maxRows` rows; one row more is no reason to cut. A single line of a hundred thousand characters
 * is cut like as many short ones: what runs out of view is counted, not what ends in a line feed.
 */
export function clipLines<L extends { readonly text: string }>(lines: readonly L[], maxRows: number): ClippedLines<L> {
  let rows = 0
  for (const [index, line] of lines.entries()) {
    const own = lineRows(line.text.length)
    if (rows + own <= maxRows || (own === 1 && index === lines.length - 1 && rows <= maxRows)) {
      rows += own
      continue
    }
    const room = maxRows - rows
    // One or two rows of a line say little: it is left out whole where others stand before it.
    if (room < 3 && index > 0) return { shown: lines.slice(0, index), hidden: lines.length - index, cut: 0 }
    const text = line.text.slice(0, Math.max(room, 3) * rowLength).replace(/[\ud800-\udbff]$/, '')
    if (text.length === line.text.length) {
      rows += own
      continue
    }
    return {
      shown: [...lines.slice(0, index), { ...line, text }],
      hidden: lines.length - index,
      cut: line.text.length - text.length,
    }
  }
  return { shown: lines, hidden: 0, cut: 0 }
}
