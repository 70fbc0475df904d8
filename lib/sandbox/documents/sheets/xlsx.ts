import { documentLimits, type DocumentPart } from '../../document'
import { FlawedDocument } from '../flaw'
import { readRelations, readXml } from '../office/package'
import type { Zip } from '../zip'
import { childOf, decodeXml, elementsOf, scanXml, type Attributes } from '../xml'
import {
  createSheetBudget,
  createSheetWriter,
  type SheetBudget,
  type MergedCells,
  type MergedRange,
  type Sheets,
  type SheetWriter,
} from './sheet-text'

/** The text of workbook cells as users see it: dates as dates, not as days since 1900. */

const dayMs = 86_400_000

const builtInDates = new Map<number, 'date' | 'time' | 'both'>([
  ...[14, 15, 16, 17, 27, 30, 31, 36, 50, 57].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, 'time'] as const),
  [22, 'both'],
])

type CellFormat = 'plain' | 'percent' | 'date' | 'time' | 'both'

/** How a number format displays a number; letters in quotes, in brackets and after `\` are literal. */
function formatOf(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return builtInDates.get(id) ?? (id === 9 || id === 10 ? 'percent' : 'plain')
  const plain = code
    .split(';')[0]
    ?.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h|m|s)[^\]]*\]/gi, '')
    .toLowerCase()
  if (plain === undefined || /general|@/.test(plain)) return 'plain'
  const hasTime = /[hs]/.test(plain)
  const hasDate = /[yd]/.test(plain) || (/m/.test(plain) && !hasTime)
  if (hasDate || hasTime) return hasDate && hasTime ? 'both' : hasDate ? 'date' : 'time'
  return plain.includes('%') ? 'percent' : 'plain'
}

const plainNumber = (value: number): string => String(Number(value.toPrecision(15)))

/** `is1904`: the workbook counts its days from 1904. */
function formatNumber(text: string, format: CellFormat, is1904: boolean): string {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  if (format === 'plain') return /^-?\d{1,15}$/.test(text) ? text : plainNumber(value)
  if (format === 'percent') return `${plainNumber(value * 100)}%`
  const days = is1904 ? value + 1_462 : value
  // Excel has a 29 February 1900; days before it are shifted by one less.
  const epochDays = days - (days < 60 ? 25_568 : 25_569)
  const ms = Math.round(epochDays * dayMs)
  if (Math.abs(ms) > 8e15) return text
  const iso = new Date(ms).toISOString()
  const time = iso.slice(11, iso.endsWith(':00.000Z') ? 16 : 19)
  if (format === 'time') return value >= 1 ? `${Math.floor(value * 24)}:${iso.slice(14, 16)}` : time
  if (format === 'date') return iso.slice(0, 10)
  return `${iso.slice(0, 10)} ${time}`
}

/** Excel workbooks: values of cells, saved results of formulas, dates as dates. Hidden sheets are labelled. */

const main = 'xl/workbook.xml'
const maxFormat = 400

/** Shared strings, read in one pass; phonetic guides are left out. */
async function readSharedTexts(zip: Zip): Promise<readonly string[]> {
  const data = await zip.read('xl/sharedStrings.xml')
  if (data === null) return []
  const texts: string[] = []
  let text = ''
  let isText = false
  let phonetic = 0
  scanXml(decodeXml(data), {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') phonetic++
      isText = name === 't' && phonetic === 0
    },
    close(name) {
      if (name === 'si') texts.push(text)
      if (name === 'rPh') phonetic--
      isText = false
    },
    text(piece) {
      if (isText) text += piece
    },
  })
  return texts
}

async function readFormats(zip: Zip): Promise<readonly CellFormat[]> {
  const tree = await readXml(zip, 'xl/styles.xml')
  const sheet = tree && childOf(tree, 'styleSheet')
  const list = (name: string) => {
    const element = sheet ? childOf(sheet, name) : undefined
    return element ? elementsOf(element) : []
  }
  const codes = new Map(
    // Excel writes at most 255 characters; a long one would take time in the square of its length, for each style.
    list('numFmts').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      (attributes['formatCode'] ?? '').slice(0, maxFormat),
    ]),
  )
  return list('cellXfs').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? 0)
    return formatOf(id, codes.get(id))
  })
}

/** `BC12` → [11, 54]; null if it is not a cell reference. */
function placeOf(reference: string | undefined): readonly [row: number, column: number] | null {
  const found = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference ?? '')
  if (!found) return null
  const column = Array.from(found[1] ?? '').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return [Number(found[2]) - 1, column]
}

interface Book {
  readonly texts: readonly string[]
  readonly formats: readonly CellFormat[]
  readonly is1904: boolean
}

function valueOf(type: string | undefined, style: string | undefined, text: string, book: Book): string {
  switch (type) {
    case 's':
      return book.texts[Number(text)] ?? ''
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE'
    case 'str':
    case 'inlineStr':
    case 'e':
      return text
    case 'd':
      return text.replace('T', ' ').replace(/(?: 00:00:00)?(?:\.0+)?Z?$/, '')
    default:
      return text === '' ? '' : formatNumber(text, book.formats[Number(style ?? 0)] ?? 'plain', book.is1904)
  }
}

/** The merged ranges, which a sheet lists after its cells; from the top. */
function mergedRanges(text: string): readonly MergedRange[] {
  const found: MergedRange[] = []
  scanXml(text.slice(text.lastIndexOf('sheetData')), {
    open(name, attributes) {
      if (name !== 'mergeCell') return
      const [from, to] = (attributes()['ref'] ?? '').split(':').map(placeOf)
      if (!from || !to) return
      const [top, left] = from
      const [bottom, right] = to
      if (bottom >= top && right >= left && (bottom > top || right > left)) found.push({ top, left, bottom, right })
    },
    close() {},
    text() {},
  })
  return found.toSorted((a, b) => a.top - b.top)
}

/** One sheet, in one pass. */
function readSheet(
  text: string,
  name: string,
  isHidden: boolean,
  book: Book,
  budget: SheetBudget,
): ReturnType<SheetWriter['take']> {
  const writer = createSheetWriter(name, isHidden, budget)
  for (const range of mergedRanges(text)) writer.merge(range)
  let [row, column] = [-1, -1]
  let cell: Attributes = {}
  let value = ''
  let isValue = false
  scanXml(text, {
    open(element, attributes) {
      if (element === 'row') {
        const given = Number(attributes()['r'])
        row = Number.isInteger(given) && given > 0 ? given - 1 : row + 1
        column = -1
      } else if (element === 'c') {
        cell = attributes()
        const place = placeOf(cell['r'])
        column = place?.[1] ?? column + 1
        row = place?.[0] ?? row
        value = ''
      }
      isValue = element === 'v' || element === 't'
    },
    close(element) {
      isValue = false
      if (element === 'c') writer.cell(row, column, valueOf(cell['t'], cell['s'], value, book))
    },
    text(piece) {
      if (isValue) value += piece
    },
  })
  return writer.take()
}

export async function readXlsx(zip: Zip): Promise<Sheets> {
  const tree = await readXml(zip, main)
  const workbook = tree && childOf(tree, 'workbook')
  if (!workbook) throw new FlawedDocument('unknown')
  const relations = await readRelations(zip, main)
  const isOn = (value: string | undefined) => value === '1' || value === 'true'
  const book: Book = {
    texts: await readSharedTexts(zip),
    formats: await readFormats(zip),
    is1904: isOn(childOf(workbook, 'workbookPr')?.attributes['date1904']),
  }
  const budget = createSheetBudget()
  const parts: DocumentPart[] = []
  const merged: MergedCells[] = []
  const list = childOf(workbook, 'sheets')
  const all = list ? elementsOf(list) : []
  for (const { attributes } of all) {
    const name = relations.get(attributes['id'] ?? '')?.target
    const data = name === undefined ? null : await zip.read(name)
    if (data === null) continue
    const isHidden = attributes['state'] === 'hidden' || attributes['state'] === 'veryHidden'
    const sheet = readSheet(decodeXml(data), attributes['name'] ?? '', isHidden, book, budget)
    parts.push(sheet.part)
    merged.push(sheet.merged)
    if (parts.length >= documentLimits.parts || budget.isSpent()) break
  }
  return { parts, merged, total: all.length, isCut: budget.isSpent() }
}
