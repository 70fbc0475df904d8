import { markdownTable } from '../blocks'
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
const maxDisorder = 0.08

export function rowsOf(given: readonly PageItem[]): readonly Row[] {
  const isJumpy = disorderOf(given) > maxDisorder
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

/* Tables of a page without tags: at least three rows that share two edges. */

interface Cell {
  readonly items: PageItem[]
  readonly x: number
  end: number
}

/**
 * As a multiple of the letter height. The spaces of a justified line are wider than normal ones, but narrower than
 * this.
 */
const cellGap = 0.7

/** A bullet before a list item belongs to the item. */
const bullet = /^[•▪◦–-]$/

/** Splits a row into pieces with a gap between them. */
function cellsOf(row: Row): readonly Cell[] {
  const cells: Cell[] = []
  let last: PageItem | null = null
  for (const item of row.items) {
    const cell = cells.at(-1)
    const isBeside = last !== null && (item.x - last.end <= cellGap * item.height || bullet.test(last.text.trim()))
    if (cell && isBeside) {
      cell.items.push(item)
      cell.end = item.end
    } else cells.push({ x: item.x, end: item.end, items: [item] })
    last = item
  }
  return cells
}

interface Edge {
  left: number
  right: number
  readonly rows: Set<number>
}

/** In points: edges closer than this are the same edge. */
const edgeBlur = 2.2

function columnsOf(rows: readonly (readonly Cell[])[]): readonly Edge[] {
  const edges: Edge[] = []
  for (const [index, cells] of rows.entries())
    for (const { x, end } of cells) {
      let edge =
        edges.find(({ left }) => near(left, x, edgeBlur)) ?? edges.find(({ right }) => near(right, end, edgeBlur))
      if (edge === undefined) edges.push((edge = { left: x, right: end, rows: new Set() }))
      edge.rows.add(index)
      edge.left = Math.min(edge.left, x)
      edge.right = Math.max(edge.right, end)
    }
  return edges
    .filter(({ rows: shared }) => shared.size >= Math.max(2, 0.5 * rows.length))
    .toSorted((a, b) => a.left - b.left)
}

/** Widths of letters, as in most fonts: only their ratios count. */
const widthOf = (letter: string): number =>
  /[iljtfrI.,:;'|! ()[\]]/.test(letter) ? 0.3 : /[mwMW@%]/.test(letter) ? 0.85 : /[A-Z]/.test(letter) ? 0.68 : 0.55

/** Where the words of a piece begin, except the first one, estimated. */
function wordStarts({ text, x, end }: PageItem): readonly { readonly at: number; readonly x: number }[] {
  const letters = text.split('')
  const total = letters.reduce((sum, letter) => sum + widthOf(letter), 0)
  const starts: { at: number; x: number }[] = []
  let width = 0
  for (const [at, letter] of letters.entries()) {
    if (at > 0 && letter !== ' ' && letters[at - 1] === ' ') starts.push({ at, x: x + ((end - x) * width) / total })
    width += widthOf(letter)
  }
  return starts
}

/**
 * Cells of narrow columns come as one piece, as if a space was between them: they are split where a word begins at the
 * left edge of a column of other rows.
 */
function splitAt(cells: readonly Cell[], lefts: readonly number[]): readonly Cell[] {
  return cells.flatMap((cell): readonly Cell[] => {
    const [item, ...more] = cell.items
    const left = lefts.find((x) => x > cell.x + edgeBlur && x < cell.end - edgeBlur)
    if (item === undefined || more.length > 0 || left === undefined) return [cell]
    const start = wordStarts(item).find(({ x }) => near(x, left, 0.35 * item.height))
    if (start === undefined) return [cell]
    const before = { ...item, text: item.text.slice(0, start.at).trimEnd(), end: left - edgeBlur }
    const after = { ...item, text: item.text.slice(start.at), x: left }
    const rest = { items: [after], x: left, end: cell.end }
    return [{ items: [before], x: cell.x, end: before.end }, ...splitAt([rest], lefts)]
  })
}

/** Whether a row has a cell that begins where a cell of the row above does. */
const confirms = (row: Row | undefined, [, ...above]: readonly Cell[]): boolean =>
  row !== undefined &&
  cellsOf(row)
    .slice(1)
    .some(({ x }) => above.some((cell) => near(cell.x, x, edgeBlur)))

/** Maximum number of consecutive rows that are checked as one table. */
const maxTableRows = 400

/** The table that begins at a row; null if there is none. */
export function tableAt(rows: readonly Row[], from: number): { readonly end: number; readonly text: string } | null {
  const close: (readonly Cell[])[] = []
  const lefts: number[] = []
  for (let at = from; at < rows.length && close.length < maxTableRows; at++) {
    const row = rows[at]
    const before = rows[at - 1]
    if (row === undefined) break
    const step = before && at > from ? before.y - row.y : 1
    if (step <= 0 || step >= 3.2 * row.height) break
    const found = cellsOf(row)
    const split = found.length > 1 ? found : splitAt(found, lefts)
    if (split.length < 2) break
    close.push(split)
    if (found.length > 1) lefts.push(...found.slice(1).map(({ x }) => x))
    // Only an estimate makes a row of a table: the row below has to confirm it.
    else if (!confirms(rows[at + 1], split)) {
      close.pop()
      break
    }
  }
  if (close.length < 3) return null
  const shared = lefts.filter((x, at) => lefts.some((other, index) => index !== at && near(x, other, edgeBlur)))
  const cells = close.map((row) => splitAt(row, shared))
  const columns = columnsOf(cells)
  if (columns.length < 2) return null
  const table = cells.map((row) => {
    const texts: string[][] = columns.map(() => [])
    for (const cell of row) texts[columnOf(cell, columns)]?.push(join(cell.items))
    return texts.map((pieces) => pieces.join(' '))
  })
  return { end: from + cells.length, text: listOf(table) ?? markdownTable(table) }
}

/** A list whose numbers are in a column of their own; null if it is a table. */
function listOf(rows: readonly (readonly string[])[]): string | null {
  const isList = rows.every((row, index) => row.length === 2 && row[0]?.replace(/[.)]$/, '') === String(index + 1))
  return isList ? rows.map(([, text = ''], index) => `${index + 1}. ${text}`).join('\n\n') : null
}

function columnOf({ x, end }: Cell, columns: readonly Edge[]): number {
  let [best, distance] = [0, Number.POSITIVE_INFINITY]
  for (const [index, { left, right }] of columns.entries()) {
    const isInside = x >= left && end <= right
    const away = Math.min(Math.abs(left - x), Math.abs(right - end), isInside ? 0 : Number.POSITIVE_INFINITY)
    if (away < distance) [best, distance] = [index, away]
  }
  return best
}
