import { documentLimits, withoutMarks, type DocumentPart } from '../../document'
import { FlawedDocument } from '../flaw'

/*
 * A sheet as lines of CSV, one per row. Only filled cells count: whatever size a sheet claims, gaps are described and
 * not written.
 */

export interface Sheets {
  readonly parts: readonly DocumentPart[]
  /** Number of sheets in the file. */
  readonly total: number
  /** Rows were left out because the limit was reached. */
  readonly isCut: boolean
}

export interface SheetWriter {
  /** Rows and columns from 0, in order. Cells without a value may be skipped. */
  cell(row: number, column: number, value: string): void
  take(): DocumentPart
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
  let columns = 0

  const endRow = () => {
    const text = cells.map(quoted).join(',')
    if (budget.spendText(text.length + 1)) lines.push(text)
    cells = []
  }
  return {
    cell(atRow, column, value) {
      if (value === '' || atRow < row || budget.isSpent()) return
      budget.spendCell()
      if (atRow > row) {
        endRow()
        const gap = atRow - row - 1
        if (gap > gapRows) lines.push(`(rows ${row + 2} to ${atRow} are empty)`)
        else for (let n = 0; n < gap; n++) lines.push('')
        row = atRow
      }
      const missing = column - cells.length
      if (missing > gapColumns) cells.push(`(column ${columnName(column)}:) ${withoutMarks(value)}`)
      else {
        for (let n = 0; n < missing; n++) cells.push('')
        cells.push(withoutMarks(value))
      }
      columns = Math.max(columns, column + 1)
    },
    take() {
      endRow()
      const text = lines.join('\n').replace(/\n+$/, '')
      const label = `${name}${isHidden ? ' (hidden)' : ''}`.slice(0, documentLimits.titleCharacters)
      return { label, text, hidden: isHidden ? text.length : 0 }
    },
  }
}
