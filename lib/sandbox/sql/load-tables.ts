import papaparse from 'papaparse'
import { documentFormatOfName } from '@/lib/base/text/document-formats'
import { decodeText } from '@/lib/base/text/text-encoding'
import { FlawedDocument } from '../documents/flaw'
import { readOds } from '../documents/sheets/ods'
import { describingLine, type MergedCells } from '../documents/sheets/sheet-text'
import { readXlsx } from '../documents/sheets/xlsx'
import { hasMacros, openZip } from '../documents/zip'
import { isHeader, type NumberStyle, type RawCell } from './column-types'
import { sqlLimits, tableName, type SqlFlaw } from '../sql-query'

/** Thrown for a file that is not a table. */
export class FlawedTable extends Error {
  readonly flaw: SqlFlaw
  constructor(flaw: SqlFlaw) {
    super(flaw)
    this.flaw = flaw
  }
}

type Row = readonly RawCell[]

/** A table of a file. Its rows are read twice: once for their types, once to be stored. */
export interface RawTable {
  readonly name: string
  /** The sheet, which follows the path of the file. */
  readonly part: string
  readonly header: readonly RawCell[]
  readonly rows: (visit: (row: Row) => void) => void
  /** How numbers are read that are valid in two styles; null: not at all. */
  readonly style: NumberStyle | null
  /** Notes about its rows for the reader, once they were read. */
  readonly notes?: () => readonly string[]
}

const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

const sqliteMark = 'SQLite format 3\u0000'
export const isSqlite = (data: Uint8Array): boolean =>
  data.length > 16 && new TextDecoder('latin1').decode(data.subarray(0, 16)) === sqliteMark

/** Rows above a table that may be its title. */
const maxTitleRows = 5

const filledIn = (row: Row): number => row.filter((cell) => String(cell ?? '').trim() !== '').length

/** How many of the first rows are a title: one cell each, above rows of several. */
function titleRows(first: readonly Row[]): number {
  const at = first.findIndex((row) => filledIn(row) > 1)
  const isTable = at > 0 && first.slice(at).every((row) => filledIn(row) > 1) && first.length > at + 1
  return isTable ? at : 0
}

function csvTable(
  name: string,
  text: string,
  delimiter: string,
  { part = '', merged = null }: { readonly part?: string; readonly merged?: MergedCells | null } = {},
): RawTable | null {
  const [begin, separator] = /^\ufeff?(?:sep=(.)\r?\n)?/i.exec(text) ?? ['']
  const lines = text.slice(begin.length)
  let isQuoteOpen = false
  const go = (visit: (row: Row) => boolean): string => {
    // Excel writes the separator as a line of its own.
    let used = separator ?? delimiter
    papaparse.parse<string[]>(lines, {
      ...(used !== '' && { delimiter: used }),
      delimitersToGuess: [',', ';', '\t', '|'],
      skipEmptyLines: 'greedy',
      step({ data, meta, errors }, parser) {
        used = meta.delimiter
        isQuoteOpen ||= errors.some(({ type }) => type === 'Quotes')
        if (!visit(data)) parser.abort()
      },
    })
    return used
  }
  const first: Row[] = []
  const used = go((row) => first.push(row) <= maxTitleRows)
  const above = merged?.head ?? null
  const skipped = above === null ? titleRows(first) : above.filledRows - 1
  const head = above?.names ?? first[skipped]
  if (head === undefined) return null
  const named = above !== null || isHeader(head)
  const titles = skipped - (above === null ? 0 : above.rows - 1)
  return {
    name,
    part,
    header: named ? head : head.map(() => ''),
    style: used === ';' || used === '\t' ? null : 'point',
    rows(visit) {
      let at = 0
      go((row) => {
        if (at++ >= skipped + (named ? 1 : 0)) visit(row)
        return true
      })
    },
    notes: () => [
      ...(titles > 0 ? [`The first ${titles === 1 ? 'row was' : `${titles} rows were`} left out as a title.`] : []),
      ...(above === null
        ? []
        : [`The header has ${above.rows} rows with merged cells, so each name has the words of all of its rows.`]),
      ...(merged?.isBelow === true ? ['Cells are merged over several rows: only the first row has their value.'] : []),
      ...(named ? [] : ['The first row holds numbers, so it was read as a row and not as names.']),
      ...(isQuoteOpen
        ? ['A quotation mark in the file is not closed, or is in the wrong place: rows may be merged.']
        : []),
    ],
  }
}

/** A table from a list of objects: a column for every key of any of them. Lists and objects in cells stay JSON. */
function tableOfObjects(name: string, items: readonly unknown[]): RawTable {
  const asCell = (value: unknown): RawCell =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as RawCell)
  if (items.every(Array.isArray)) {
    const [first = [], ...others] = (items as unknown[][]).map((row) => row.map(asCell))
    const named = isHeader(first)
    const rows = named ? others : [first, ...others]
    return {
      name,
      part: '',
      header: named ? first : first.map(() => ''),
      style: 'point',
      rows: (visit) => rows.forEach(visit),
    }
  }
  const columns = new Set<string>()
  for (const item of items)
    if (typeof item === 'object' && item !== null) for (const key of Object.keys(item)) columns.add(key)
    else columns.add('value')
  const header = [...columns]
  return {
    name,
    part: '',
    header,
    style: 'point',
    rows(visit) {
      for (const item of items) {
        if (typeof item !== 'object' || item === null)
          visit(header.map((key) => (key === 'value' ? asCell(item) : null)))
        else
          visit(header.map((key) => (Object.hasOwn(item, key) ? asCell((item as Record<string, unknown>)[key]) : null)))
      }
    },
  }
}

/** The list in a JSON text: the whole text, or the only list of objects in its top-level object. */
function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return null
  const lists = Object.values(value).filter((each): each is unknown[] => Array.isArray(each) && each.length > 0)
  return lists.length === 1 ? (lists[0] ?? null) : [value]
}

/** Whole numbers that JavaScript can't hold become texts, with all of their digits. */
const exactNumbers = (text: string): string =>
  /\d{16}/.test(text)
    ? text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) =>
        token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
      )
    : text

function parsed(text: string): unknown {
  try {
    return JSON.parse(exactNumbers(text))
  } catch {
    throw new FlawedTable('broken')
  }
}

async function sheetTables(path: string, data: Uint8Array, format: 'xlsx' | 'ods'): Promise<readonly RawTable[]> {
  const zip = openZip(data)
  const { parts, merged, isCut } = await (format === 'xlsx' ? readXlsx : readOds)(zip)
  if (isCut) throw new FlawedTable('too-large')
  const tables: RawTable[] = []
  for (const [at, { label, text }] of parts.entries()) {
    const lines = text.replaceAll(describingLine, '')
    const name = parts.length === 1 ? tableName(path) : tableName(`${label}.`)
    const table = csvTable(name, lines, ',', { part: label, merged: merged[at] ?? null })
    const before = hasMacros(zip) ? ['The workbook has macros: they were not run.'] : []
    if (table) tables.push({ ...table, notes: () => [...before, ...(table.notes?.() ?? [])] })
  }
  return tables
}

/** The tables of a file that is not a database. Throws `FlawedTable`, `FlawedDocument`. */
export async function tablesOf(path: string, data: Uint8Array): Promise<readonly RawTable[]> {
  if (data.byteLength > sqlLimits.fileBytes) throw new FlawedTable('too-large')
  const extension = extensionOf(path)
  const format = documentFormatOfName(path)
  if (format === 'xlsx' || format === 'ods') return sheetTables(path, data, format)
  const text = decodeText(data)?.text ?? (data.subarray(0, 8_000).includes(0) ? null : new TextDecoder().decode(data))
  if (text === null) throw new FlawedTable('not-a-table')
  const name = tableName(path)
  switch (extension) {
    case 'json': {
      const list = listIn(parsed(text))
      if (list === null || list.length === 0) throw new FlawedTable('no-rows')
      return [tableOfObjects(name, list)]
    }
    case 'jsonl':
    case 'ndjson': {
      const items = text.split('\n').filter((line) => line.trim() !== '')
      if (items.length === 0) throw new FlawedTable('no-rows')
      return [tableOfObjects(name, items.map(parsed))]
    }
  }
  const table = csvTable(name, text, extension === 'tsv' || extension === 'tab' ? '\t' : '')
  if (table === null) throw new FlawedTable('no-rows')
  return [table]
}

/** The failure as named in the answer; parsers of untrusted files may throw anything. */
export function flawOf(thrown: unknown): SqlFlaw {
  if (thrown instanceof FlawedTable || thrown instanceof FlawedDocument) return thrown.flaw
  return thrown instanceof RangeError ? 'too-large' : 'broken'
}
