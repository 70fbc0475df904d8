import { documentLimits, type DocumentPart } from '../../document'
import { FlawedDocument } from '../flaw'
import { readXml } from '../office/package'
import type { Zip } from '../zip'
import { decodeXml, findElement, scanXml, type Attributes } from '../xml'
import { createSheetBudget, createSheetWriter, type MergedCells, type Sheets, type SheetWriter } from './sheet-text'

/*
 * OpenDocument spreadsheets, in one pass. Rows and cells have repeat counts, up to all seventeen billion cells of a
 * sheet: empty ones are skipped, and a filled one is written as often as the budget of cells allows.
 */

const countOf = (text: string | undefined): number => {
  const count = Number(text ?? 1)
  return Number.isInteger(count) && count > 0 ? count : 1
}

/** Some programs write all digits of the number in memory: `0.0099999999999999999998` is 0.01. */
const numberOf = (value: string): string =>
  /^-?\d+\.\d{15,}$/.test(value) && Number(value) !== 0 ? `${Number(value)}` : value

function valueOf(cell: Attributes, text: string): string {
  switch (cell['value-type']) {
    case 'date':
      return (cell['date-value'] ?? text).replace('T', ' ').replace(/ 00:00:00(?:\.0+)?$/, '')
    case 'float':
      return numberOf(cell['value'] ?? text)
    case 'boolean':
      return cell['boolean-value'] === 'true' ? 'TRUE' : 'FALSE'
    case 'currency':
    case 'percentage':
    default:
      return text !== '' ? text : (cell['value'] ?? '')
  }
}

interface Row {
  readonly repeated: number
  readonly cells: { readonly column: number; readonly repeated: number; readonly value: string }[]
}

export async function readOds(zip: Zip): Promise<Sheets> {
  const manifest = await readXml(zip, 'META-INF/manifest.xml')
  if (manifest && findElement(manifest, 'encryption-data')) throw new FlawedDocument('locked')
  const data = await zip.read('content.xml')
  if (data === null) throw new FlawedDocument('unknown')
  const budget = createSheetBudget()
  const parts: DocumentPart[] = []
  const merged: MergedCells[] = []
  const hiddenStyles = new Set<string>()
  let style = ''
  let writer: SheetWriter | null = null
  let depth = 0
  let total = 0
  let [row, column] = [0, 0]
  let cells: Row['cells'] = []
  let rowRepeated = 1
  let cell: Attributes = {}
  let text: string | null = null
  let notes = 0

  const writeRow = () => {
    if (cells.length > 0)
      for (let n = 0; n < rowRepeated && !budget.isSpent(); n++)
        for (const { column: first, repeated, value } of cells)
          for (let copy = 0; copy < repeated && !budget.isSpent(); copy++) writer?.cell(row + n, first + copy, value)
    row += rowRepeated
    cells = []
    column = 0
  }
  scanXml(decodeXml(data), {
    open(name, attributes) {
      if (name === 'style') style = attributes()['name'] ?? ''
      else if (name === 'table-properties' && attributes()['display'] === 'false') hiddenStyles.add(style)
      else if (name === 'table' && depth++ === 0) {
        const given = attributes()
        writer = createSheetWriter(given['name'] ?? '', hiddenStyles.has(given['style-name'] ?? ''), budget)
        row = 0
      } else if (name === 'table-row' && depth === 1) rowRepeated = countOf(attributes()['number-rows-repeated'])
      else if ((name === 'table-cell' || name === 'covered-table-cell') && depth === 1) {
        cell = attributes()
        text = ''
      } else if (name === 'annotation') notes++
      else if (name === 'p' && text !== null && text !== '' && notes === 0) text += '\n'
      else if (name === 's' && text !== null && notes === 0) text += ' '
    },
    close(name) {
      if (name === 'annotation') notes--
      else if (name === 'table' && --depth === 0) {
        total++
        if (writer && parts.length < documentLimits.parts) {
          const sheet = writer.take()
          parts.push(sheet.part)
          merged.push(sheet.merged)
        }
        writer = null
      } else if (name === 'table-row' && depth === 1) writeRow()
      else if ((name === 'table-cell' || name === 'covered-table-cell') && depth === 1) {
        const value = valueOf(cell, text ?? '')
        const repeated = countOf(cell['number-columns-repeated'])
        const [rows, columns] = [countOf(cell['number-rows-spanned']), countOf(cell['number-columns-spanned'])]
        // A repeated row or cell can't be merged with others.
        if (rows * columns > 1 && repeated * rowRepeated === 1)
          writer?.merge({ top: row, left: column, bottom: row + rows - 1, right: column + columns - 1 })
        if (value !== '') cells.push({ column, repeated, value })
        column += repeated
        text = null
      }
    },
    text(piece) {
      if (text !== null && notes === 0) text += piece
    },
  })
  return { parts, merged, total, isCut: budget.isSpent() }
}
