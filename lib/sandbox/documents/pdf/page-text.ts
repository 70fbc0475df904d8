import { markdownTable } from '../blocks'
import { hiddenMark, withoutMarks } from '../../document'
import type { PageItem, PageItems } from './page-items'

/*
 * The text of a PDF page. A page has no words, lines or columns, only positions of letters. The drawing order is nearly
 * always the reading order, also in columns, so it is kept; if it is erratic, rows are read from the top instead.
 * Geometry joins the pieces of a row and finds tables: at least three rows that share two edges.
 */

interface Row {
  readonly items: PageItem[]
  readonly y: number
  height: number
}

interface Cell {
  readonly items: PageItem[]
  readonly x: number
  end: number
}

const near = (a: number, b: number, most: number): boolean => Math.abs(a - b) <= most

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

function rowsOf(given: readonly PageItem[]): readonly Row[] {
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

function join(items: readonly PageItem[]): string {
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
const oneMark = (text: string): string => text.replace(/(?<!\\)\]\s*\[hidden in the document: /g, ' ')

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

/** Maximum number of consecutive rows that are checked as one table. */
const mostTableRows = 400

/** The table that begins at a row; null if there is none. */
function tableAt(rows: readonly Row[], from: number): { readonly end: number; readonly text: string } | null {
  const cells: (readonly Cell[])[] = []
  for (let at = from; at < rows.length && cells.length < mostTableRows; at++) {
    const row = rows[at]
    const before = rows[at - 1]
    if (row === undefined) break
    const step = before && at > from ? before.y - row.y : 1
    const found = cellsOf(row)
    if (found.length < 2 || step <= 0 || step >= 3.2 * row.height) break
    cells.push(found)
  }
  if (cells.length < 3) return null
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

const headingMark = (height: number, body: number): string =>
  height > 1.7 * body ? '#' : height > 1.35 * body ? '##' : '###'

const beginsItem = (text: string): boolean => /^(?:[•▪◦–-]|\d{1,3}[.)])\s/.test(text)

/** Joins a word that was hyphenated at the end of a line. */
const joinLines = (above: string, below: string): string =>
  /\p{L}-$/u.test(above) && /^\p{Ll}/u.test(below) ? above.slice(0, -1) + below : `${above} ${below}`

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
      const goesOn =
        above && near(above.height, row.height, 0.2) && near(above.y - row.y, row.height * 1.2, row.height * 0.4)
      if (goesOn && last?.startsWith(`${mark} `) === true) {
        blocks[blocks.length - 1] = `${last} ${text}`
        headings[headings.length - 1] += ` ${text}`
      } else {
        blocks.push(`${mark} ${text}`)
        headings.push(text)
      }
      continue
    }
    paragraph =
      continued(paragraph, { row, text, isApart: (above) => beginsAnew(above, text, rows, at - 1) }) ??
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
function beginsAnew(above: string, text: string, rows: readonly Row[], at: number): boolean {
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
