import type { PageItems } from './page-items'
import { join, joinLines, near, oneMark, rowsOf, type Row, tableAt } from './page-tables'

/*
 * The text of a PDF page. A page has no words, lines or columns, only positions of letters. The drawing order is nearly
 * always the reading order, also in columns, so it is kept; if it is erratic, rows are read from the top instead.
 * Geometry joins the pieces of a row and finds tables: at least three rows that share two edges.
 */

const headingMark = (height: number, body: number): string =>
  height > 1.7 * body ? '#' : height > 1.35 * body ? '##' : '###'

const beginsItem = (text: string): boolean => /^(?:[•▪◦–-]|\d{1,3}[.)])\s/.test(text)

export interface PageText {
  readonly text: string
  readonly headings: readonly string[]
}

/** `body`: the most common letter height in the document. */
export function textOfPage({ upright, turned }: PageItems, body: number): PageText {
  const rows = rowsOf(upright)
  const blocks: string[] = []
  const headings: string[] = []
  let paragraph: { text: string; last: Row } | null = null
  const flush = () => {
    if (paragraph) blocks.push(paragraph.text)
    paragraph = null
  }
  for (let at = 0; at < rows.length;) {
    const table = tableAt(rows, at)
    if (table) {
      flush()
      blocks.push(table.text)
      at = table.end
      continue
    }
    const row = rows[at++]
    if (row === undefined) break
    const text = join(row.items)
    if (row.height > 1.15 * body && text.length < 120 && /\p{L}/u.test(text)) {
      flush()
      const last = blocks.at(-1)
      const mark = headingMark(row.height, body)
      const above = rows[at - 2]
      const continues =
        above && near(above.height, row.height, 0.2) && near(above.y - row.y, row.height * 1.2, row.height * 0.4)
      if (continues && last?.startsWith(`${mark} `) === true) {
        blocks[blocks.length - 1] = `${last} ${text}`
        headings[headings.length - 1] += ` ${text}`
      } else {
        blocks.push(`${mark} ${text}`)
        headings.push(text)
      }
      continue
    }
    paragraph =
      continued(paragraph, { row, text, isApart: (above) => startsParagraph(above, text, rows, at - 1) }) ??
      (flush(), { text, last: row })
  }
  flush()
  if (turned.length > 0) blocks.push(join(turned))
  return { text: oneMarkPerBlock(blocks), headings }
}

const oneMarkPerBlock = (blocks: readonly string[]): string => blocks.map(oneMark).join('\n\n')

const leftOf = ({ items }: Row): number => items[0]?.x ?? 0
const endOf = ({ items }: Row): number => items.at(-1)?.end ?? 0

/**
 * Rows around a line that indicate the width of its column; `indent` is how far to the left of the line they may begin,
 * in points.
 */
const around = { rows: 8, indent: 60 } as const

/**
 * Whether a line leaves a third of its column free: the last line of a paragraph, or an item of a list whose marker is
 * a drawing.
 */
function isShort(rows: readonly Row[], at: number): boolean {
  const row = rows[at]
  if (row === undefined) return false
  const left = leftOf(row)
  let [from, to] = [left, endOf(row)]
  for (const each of rows.slice(Math.max(0, at - around.rows), at + around.rows + 1)) {
    const x = leftOf(each)
    if (x < left - around.indent || x > left + 24 || each.height > 1.15 * row.height) continue
    from = Math.min(from, x)
    to = Math.max(to, endOf(each))
  }
  return endOf(row) - from < 0.66 * (to - from)
}

/** Whether a line begins a paragraph because the previous one is short, however close it is. */
function startsParagraph(above: string, text: string, rows: readonly Row[], at: number): boolean {
  if (!isShort(rows, at - 1) || !/^[\p{Lu}\p{Lo}\d]/u.test(text)) return false
  return isShort(rows, at) || /[.:!?。：！？]$/.test(above)
}

interface NextLine {
  readonly row: Row
  readonly text: string
  /** Whether a line starts a new paragraph after one that ends with this text. */
  readonly isApart: (above: string) => boolean
}

/** The paragraph with one more row; null if the row begins a new one. */
function continued(
  paragraph: { readonly text: string; readonly last: Row } | null,
  { row, text, isApart }: NextLine,
): { text: string; last: Row } | null {
  if (paragraph === null || beginsItem(text) || isApart(paragraph.text)) return null
  const { last } = paragraph
  const step = last.y - row.y
  const isBelow =
    step > 0 && step < 1.6 * row.height && (row.items[0]?.x ?? 0) < (last.items[0]?.x ?? 0) + 3 * row.height
  // At the top of the next column.
  const isAbove = row.y > last.y && !/[.:!?]$/.test(paragraph.text)
  if (!near(last.height, row.height, 1.2) || !(isBelow || isAbove)) return null
  return { text: joinLines(paragraph.text, text), last: row }
}
