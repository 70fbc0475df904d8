import { hiddenMark, withoutMarks } from '../../document'
import type { PageItem } from './page-items'

/* Rows of a page: pieces of text in one line, in reading order. */

export interface Row {
  readonly items: PageItem[]
  readonly y: number
  height: number
}

export const near = (a: number, b: number, most: number): boolean => Math.abs(a - b) <= most

/** The share of pieces that are positioned before pieces drawn earlier. */
function disorderOf(items: readonly PageItem[]): number {
  let upwards = 0
  let backwards = 0
  for (const [index, item] of items.entries()) {
    const before = items[index - 1]
    if (before === undefined) continue
    if (item.y > before.y + 3 * item.height) upwards++
    if (near(item.y, before.y, 0.3 * item.height) && item.x < before.x - 1) backwards++
  }
  return Math.max(upwards, backwards) / Math.max(1, items.length)
}

function byRows(items: readonly PageItem[]): readonly PageItem[] {
  const rows: PageItem[][] = []
  for (const item of items.toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1)
    const [first] = row ?? []
    if (row && first && near(first.y, item.y, 0.4 * Math.min(first.height, item.height))) row.push(item)
    else rows.push([item])
  }
  return rows.flatMap((row) => row.toSorted((a, b) => a.x - b.x))
}

/** Above this share, the drawing order of a page is not its reading order. */
const mostDisorder = 0.08

export function rowsOf(given: readonly PageItem[]): readonly Row[] {
  const isJumpy = disorderOf(given) > mostDisorder
  const rows: Row[] = []
  for (const item of isJumpy ? byRows(given) : given) {
    const row = rows.at(-1)
    const last = row?.items.at(-1)
    const sameLine = row !== undefined && near(row.y, item.y, 0.45 * Math.max(row.height, item.height))
    if (row && last && sameLine && (isJumpy || item.x >= last.x - 1)) {
      row.items.push(item)
      row.height = Math.max(row.height, item.height)
    } else rows.push({ y: item.y, height: item.height, items: [item] })
  }
  for (const row of rows) row.items.sort((a, b) => a.x - b.x)
  return rows
}

export function join(items: readonly PageItem[]): string {
  let text = ''
  let last: PageItem | null = null
  for (const item of items) {
    const isApart = last !== null && (last.space || item.x - last.end > 0.16 * item.height)
    if (isApart && !text.endsWith(' ')) text += ' '
    text += item.hidden ? hiddenMark(item.text.trim()) : withoutMarks(item.text)
    last = item
  }
  return oneMark(text.replace(/\s+/g, ' ').trim())
}

/** Merges adjacent marks into one. */
export const oneMark = (text: string): string => text.replace(/(?<!\\)\]\s*\[hidden in the document: /g, ' ')

/** Joins a word that was hyphenated at the end of a line. */
export const joinLines = (above: string, below: string): string =>
  /\p{L}-$/u.test(above) && /^\p{Ll}/u.test(below) ? above.slice(0, -1) + below : `${above} ${below}`

/** The lines of some pieces as one text. */
export const lineTexts = (items: readonly PageItem[]): string =>
  oneMark(
    rowsOf(items)
      .map((row) => join(row.items))
      .reduce((above, below) => (above === '' ? below : joinLines(above, below)), ''),
  )
