import { documentLimits, withoutMarks, type DocumentPart } from '../../document'
import { FlawedDocument } from '../flaw'

/*
 * A sheet as lines of CSV, one per row. Only filled cells count: whatever size a sheet claims, gaps are described and
 * not written.
 */

export interface Sheets {
  readonly parts: readonly DocumentPart[]
  /** What merged cells say about the columns of each part. */
  readonly merged: readonly MergedCells[]
  /** Number of sheets in the file. */
  readonly total: number
  /** Rows were left out because the limit was reached. */
  readonly isCut: boolean
}

/** A range of merged cells, from 0. Only its first cell is visible. */
export interface MergedRange {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

export interface MergedCells {
  /** A header of several rows, in which merged cells are above others; null for a header of one row. */
  readonly head: {
    readonly top: number
    readonly filledRows: number
    readonly rows: number
    readonly names: readonly string[]
  } | null
  /** Cells below the header are merged. */
  readonly isBelow: boolean
}

export interface SheetWriter {
  /** Cells are merged. All ranges that begin at a row come before its cells. */
  merge(range: MergedRange): void
  /** Rows and columns from 0, in order. Cells without a value may be skipped. */
  cell(row: number, column: number, value: string): void
  take(): { readonly part: DocumentPart; readonly merged: MergedCells }
}

/** Gaps of more rows or columns than this are described in words. */
const gapRows = 10
const gapColumns = 60

/** The column's letters: 26 → `AA`. */
export function columnName(column: number): string {
  let name = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  return name
}

/** Rows of a sheet that may hold its title and its header. */
const headRows = 12
/** More merged ranges than any real sheet has; the others are read as plain cells. */
const maxMerged = 20_000
/** Merged ranges that the text names. */
const maxNamed = 20

const rangeName = ({ top, left, bottom, right }: MergedRange): string =>
  `${columnName(left)}${top + 1}:${columnName(right)}${bottom + 1}`

const isFilled = (value: string | undefined): value is string => value !== undefined && value.trim() !== ''
const isNumber = (value: string): boolean => /^[\s\d.,:%+-]*\d[\s\d.,:%+-]*$/.test(value)

/** A header of several rows: below a wide merged cell of the first row with several cells are names and no numbers. */
function headOf(rows: ReadonlyMap<number, readonly string[]>, merged: readonly MergedRange[]): MergedCells['head'] {
  const top = [...rows.keys()].find((row) => (rows.get(row) ?? []).filter(isFilled).length > 1)
  if (top === undefined) return null
  let bottom = top
  for (; bottom < top + 3; bottom++) {
    const next = rows.get(bottom + 1) ?? []
    const hasNames = ({ left, right }: MergedRange) => next.slice(left, right + 1).filter(isFilled).length > 1
    const isNamed = merged.some((range) => range.bottom === bottom && range.top >= top && hasNames(range))
    if (!isNamed || next.some(isNumber)) break
  }
  if (bottom === top) return null
  const head = Array.from({ length: bottom - top + 1 }, (_, at) => rows.get(top + at) ?? [])
  const nameOf = (column: number) =>
    head
      .map((cells, at) => {
        const own = cells[column]
        if (isFilled(own)) return own
        const isIn = ({ left, right, ...range }: MergedRange) =>
          range.top === top + at && left < column && column <= right
        return cells[merged.find(isIn)?.left ?? column] ?? ''
      })
      .filter(isFilled)
      .join(' ')
  const columns = Math.max(...head.map(({ length }) => length))
  const filledRows = [...rows].filter(([row, cells]) => row <= bottom && cells.some(isFilled)).length
  return { top, filledRows, rows: head.length, names: Array.from({ length: columns }, (_, column) => nameOf(column)) }
}

const quoted = (value: string): string => (/[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** The shared budget for all sheets of a file. */
export function createSheetBudget(limits = documentLimits) {
  let cells = 0
  let characters = 0
  return {
    /** Throws `FlawedDocument`. */
    spendCell() {
      if (++cells > limits.cells) throw new FlawedDocument('too-large')
    },
    /** False: nothing more may be written. */
    spendText(length: number): boolean {
      characters += length
      return characters <= limits.characters
    },
    isSpent: () => characters > limits.characters,
  }
}

export type SheetBudget = ReturnType<typeof createSheetBudget>

export function createSheetWriter(name: string, isHidden: boolean, budget: SheetBudget): SheetWriter {
  const lines: string[] = []
  let cells: string[] = []
  let row = 0
  const ranges: MergedRange[] = []
  let used = 0
  let activeRow = -1
  /** The ranges that reach into the current row, and those of them whose first cell is in it and has a value. */
  let active: MergedRange[] = []
  let started: MergedRange[] = []
  const filled: MergedRange[] = []
  const first = new Map<number, readonly string[]>()

  const endRow = () => {
    if (row < headRows && cells.length > 0) first.set(row, cells)
    // A range alone in its row is a title: it names no column.
    const isAlone = cells.filter(isFilled).length < 2
    filled.push(...started.filter(({ top, bottom }) => bottom > top || !isAlone))
    started = []
    const text = cells.map(quoted).join(',')
    if (budget.spendText(text.length + 1)) lines.push(text)
    cells = []
  }
  const startRow = (at: number) => {
    activeRow = at
    active = active.filter(({ bottom }) => bottom >= at)
    for (; (ranges[used]?.top ?? Number.POSITIVE_INFINITY) <= at; used++) {
      const range = ranges[used]
      if (range && range.bottom >= at) active.push(range)
    }
  }
  return {
    merge(range) {
      if (ranges.length < maxMerged) ranges.push(range)
    },
    cell(atRow, column, value) {
      if (value === '' || atRow < row || budget.isSpent()) return
      budget.spendCell()
      if (activeRow !== atRow) startRow(atRow)
      const range = active.find(({ left, right }) => left <= column && column <= right)
      if (range && (range.top !== atRow || range.left !== column)) return
      if (atRow > row) {
        endRow()
        const gap = atRow - row - 1
        if (gap > gapRows) lines.push(`(rows ${row + 2} to ${atRow} are empty)`)
        else for (let n = 0; n < gap; n++) lines.push('')
        row = atRow
      }
      if (range) started.push(range)
      const missing = column - cells.length
      if (missing > gapColumns) cells.push(`(column ${columnName(column)}:) ${withoutMarks(value)}`)
      else {
        for (let n = 0; n < missing; n++) cells.push('')
        cells.push(withoutMarks(value))
      }
    },
    take() {
      endRow()
      const head = headOf(first, filled)
      const named = filled.slice(0, maxNamed).map(rangeName)
      const left = filled.length - named.length
      const note = `(merged cells: ${named.join(' ')}${left > 0 ? ` and ${left} more` : ''})`
      if (filled.length > 0 && budget.spendText(note.length + 1)) lines.push(note)
      const text = lines.join('\n').replace(/\n+$/, '')
      const label = `${name}${isHidden ? ' (hidden)' : ''}`.slice(0, documentLimits.titleCharacters)
      const below = head === null ? 0 : head.top + head.rows
      return {
        part: { label, text, hidden: isHidden ? text.length : 0 },
        merged: { head, isBelow: filled.some(({ top, bottom }) => bottom > top && top >= below) },
      }
    },
  }
}

/** The lines of a sheet's text that describe it and are not its rows. */
export const describingLine =
  /^\((?:rows \d+ to \d+ are empty|merged cells: [A-Z]+\d+:[A-Z\d: ]+(?: and \d+ more)?)\)$/gm
