/*
 * The types of columns in a text table. A column has a type only if every cell fits, so that no value is changed:
 * numbers with leading zeros, or with more digits than a JavaScript number holds, are identifiers and stay text.
 */

/** A cell as its file has it: CSV has only text, JSON has numbers too. */
export type RawCell = string | number | boolean | null | undefined
export type Cell = string | number | null

export type ColumnType = 'integer' | 'real' | 'percent' | 'boolean' | 'date' | 'text'

/** The file's decimal separator, inferred from its delimiter: with `;` between cells, commas are decimal separators. */
export type NumberStyle = 'point' | 'comma'

const forms = {
  integer: /^[+-]?(?:0|[1-9]\d{0,15})$/,
  real: /^[+-]?(?:(?:0|[1-9]\d{0,16})(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/,
  grouped: /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/,
  comma: /^[+-]?(?:(?:0|[1-9]\d{0,16})|[1-9]\d{0,2}(?:\.\d{3})+),\d+$/,
  percent: /^[+-]?\d+(?:[.,]\d+)?\s?%$/,
  boolean: /^(?:true|false)$/i,
  isoDate:
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  /** 31.12.2026: with points, no other order of day and month is used. */
  pointDate: /^(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(\d{4})$/,
} as const

function numberOf(text: string, style: NumberStyle): number | null {
  if (forms.real.test(text)) return Number(text)
  if (style === 'comma') return forms.comma.test(text) ? Number(text.replaceAll('.', '').replace(',', '.')) : null
  return forms.grouped.test(text) ? Number(text.replaceAll(',', '')) : null
}

const isWhole = (text: string, style: NumberStyle): boolean =>
  (forms.integer.test(text) || (style === 'point' && forms.grouped.test(text) && !text.includes('.'))) &&
  Number.isSafeInteger(numberOf(text, style))

const isOf: Readonly<Record<Exclude<ColumnType, 'text'>, (cell: string, style: NumberStyle) => boolean>> = {
  integer: isWhole,
  // A whole number that a JavaScript number can't hold is an identifier.
  real: (text, style) => numberOf(text, style) !== null && (!forms.integer.test(text) || isWhole(text, style)),
  percent: (text) => forms.percent.test(text),
  boolean: (text) => forms.boolean.test(text),
  date: (text) => forms.isoDate.test(text) || forms.pointDate.test(text),
}

const inOrder = ['boolean', 'integer', 'real', 'percent', 'date'] as const

/** Determines the type of one column, cell by cell. */
export function createTypeReader(style: NumberStyle) {
  const open = new Set<Exclude<ColumnType, 'text'>>(inOrder)
  let filled = 0
  return {
    see(cell: RawCell) {
      const text = cell === null || cell === undefined ? '' : String(cell).trim()
      if (text === '') return
      filled++
      for (const type of open) if (!isOf[type](text, typeof cell === 'number' ? 'point' : style)) open.delete(type)
    },
    type: (): ColumnType => (filled === 0 ? 'text' : (inOrder.find((type) => open.has(type)) ?? 'text')),
  }
}

/** The cell as SQLite receives it; empty cells are NULL. */
export function cellOf(cell: RawCell, type: ColumnType, style: NumberStyle): Cell {
  if (cell === null || cell === undefined) return null
  const text = String(cell)
  const trimmed = text.trim()
  if (trimmed === '') return null
  switch (type) {
    case 'integer':
    case 'real':
      return typeof cell === 'number' ? cell : numberOf(trimmed, style)
    case 'percent':
      return Number(trimmed.replace('%', '').replace(',', '.')) / 100
    case 'boolean':
      return trimmed.toLowerCase() === 'true' ? 1 : 0
    case 'date': {
      const [, day, month, year] = forms.pointDate.exec(trimmed) ?? []
      return year ? `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}` : trimmed
    }
    case 'text':
      return text
  }
}

/** The type in SQLite's declaration. */
export const affinityOf: Readonly<Record<ColumnType, string>> = {
  integer: 'INTEGER',
  real: 'REAL',
  percent: 'REAL',
  boolean: 'INTEGER',
  date: 'TEXT',
  text: 'TEXT',
}

/** A description for users and models, if the type alone is not clear. */
export const typeWords: Readonly<Record<ColumnType, string>> = {
  integer: 'integer',
  real: 'real',
  percent: 'real, from percent: 0.5 is 50%',
  boolean: 'integer, 1 is true',
  date: 'text, ISO date',
  text: 'text',
}

const plain = (name: string): string => name.replaceAll(/\s+/g, ' ').trim().slice(0, 120)

/** Names of columns: unique regardless of case, none empty. */
export function columnNames(header: readonly RawCell[]): readonly string[] {
  const taken = new Set<string>()
  return header.map((given, at) => {
    const wanted = plain(String(given ?? '')) || `column_${at + 1}`
    let name = wanted
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted}_${n}`
    taken.add(name.toLowerCase())
    return name
  })
}

/** A header has only texts: a first row with a number in it is a data row. */
export const isHeader = (row: readonly RawCell[]): boolean =>
  row.some((cell) => String(cell ?? '').trim() !== '') &&
  row.every((cell) => typeof cell !== 'number' && numberOf(String(cell ?? '').trim(), 'point') === null)
