/*
 * The types of columns in a text table. A column has a type only if every cell fits, so that no value is changed:
 * numbers with leading zeros, or with more digits than a JavaScript number holds, are identifiers and stay text.
 */

/** A cell as its file has it: CSV has only text, JSON has numbers too. */
export type RawCell = string | number | boolean | null | undefined
export type Cell = string | number | null

export type ColumnType = 'integer' | 'real' | 'percent' | 'boolean' | 'date' | 'text'

/** The decimal separator of a column; with a comma, points separate groups of digits, and the other way round. */
export type NumberStyle = 'point' | 'comma'

/*
 * Numbers as people and programs write them: `1 234,56`, `1’234.50`, `(1,234.50)`, `12 %`, `€ 5`, `1.234,56 EUR`, `20-`.
 */

/** A cell without what is around its digits. */
interface Amount {
  /** Unchanged. */
  readonly text: string
  /** A minus sign at most, digits and their separators, without spaces; or the text, if it is no number. */
  readonly digits: string
  /** A currency as written, or `%`; '': none. */
  readonly unit: string
  /** It may be something else: digits in groups may be an identifier, `(1)` a number in a list. Null: a number. */
  readonly doubt: 'groups' | 'brackets' | null
}

const plainNumber = /^-?\d+(?:\.\d+)?$/
const unitPart = "[^\\d\\s.,;:()'’%−+-]{1,4}\\.?"
const writtenAmount = new RegExp(
  `^(?<open>\\()?(?<minus>[-−]\\s?)?(?:(?<before>${unitPart})\\s?)?(?<second>[-−]\\s?)?(?<number>\\d(?:[\\d.,'’\\s]*\\d)?|[.,]\\d+)(?:\\s?(?<after>${unitPart}|%))?(?<last>\\s?[-−])?(?<close>\\))?$`,
  'u',
)
/** Groups of three with one kind of separator between them. */
const groupsOfThree = /^[1-9]\d{0,2}(?<gap>[\s'’])\d{3}(?:\k<gap>\d{3})*(?:[.,]\d+)?$/u

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
const isCurrency = (text: string): boolean =>
  /^[A-Z]{0,3}\p{Sc}$/u.test(text) ||
  /^(?:元|円|원|zł|kr\.?|Kč|Ft|lei|лв\.?|р\.|руб\.?)$/u.test(text) ||
  codes.has(text)

function amountOf(text: string): Amount {
  const none = { text, digits: text, unit: '', doubt: null } as const
  // No number is that long, and a long cell would take time in the square of its length.
  if (text.length > 60 || plainNumber.test(text)) return none
  const { open, minus, before, second, number = '', after, last, close } = writtenAmount.exec(text)?.groups ?? {}
  const signs = [open, minus, second, last].filter((sign) => sign !== undefined).length
  if (number === '' || signs > 1 || (open === undefined) !== (close === undefined)) return none
  const named = before ?? after ?? ''
  if ((before !== undefined && after !== undefined) || (named !== '' && named !== '%' && !isCurrency(named)))
    return none
  const gap = groupsOfThree.exec(number)?.groups?.['gap']
  const joined = gap === undefined ? number : number.replaceAll(gap, '')
  if (/[\s'’]/.test(joined)) return none
  const isBare = named === '' && /^\d+$/.test(joined)
  return {
    text,
    digits: signs === 1 ? `-${joined}` : joined,
    unit: named,
    // Only people and identifiers have plain spaces; programs that format numbers write others.
    doubt: isBare && gap === ' ' ? 'groups' : isBare && open !== undefined ? 'brackets' : null,
  }
}

const forms = {
  integer: /^-?(?:0|[1-9]\d{0,15})$/,
  /** `1e5` is as likely an identifier, so an exponent alone needs a sign. */
  real: /^-?(?:(?:0|[1-9]\d{0,16})(?:\.\d*)?|\.\d+)$|^-?\d\.\d+[eE][+-]?\d{1,3}$|^-?\d[eE][+-]\d{1,3}$/,
  /** 1,234,567 or, as in India, 12,34,567. */
  grouped: /^-?(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3})(?:\.\d+)?$/,
  comma: /^-?(?:(?:0|[1-9]\d{0,16})|[1-9]\d{0,2}(?:\.\d{3})+),\d+$/,
  groupedByPoint: /^-?[1-9]\d{0,2}(?:\.\d{3})+$/,
  /** Valid with either separator, as different numbers. */
  unclear: /^-?[1-9]\d{0,2}[.,]\d{3}$/,
  boolean: /^(?:true|false)$/i,
  isoDate:
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  /** 31.12.2026: with points, no other order of day and month is used. */
  pointDate: /^(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(\d{4})$/,
} as const

function numberOf(text: string, style: NumberStyle): number | null {
  if (forms.integer.test(text)) return Number(text)
  if (style === 'point') {
    if (forms.real.test(text)) return Number(text)
    return forms.grouped.test(text) ? Number(text.replaceAll(',', '')) : null
  }
  const isNumber = forms.comma.test(text) || forms.groupedByPoint.test(text)
  return isNumber ? Number(text.replaceAll('.', '').replace(',', '.')) : null
}

/** The style that a number proves, because it is invalid in the other one. Null: it proves none. */
function styleOf({ digits }: Amount): NumberStyle | null {
  if (!/[.,]/.test(digits) || forms.unclear.test(digits)) return null
  const [point, comma] = [numberOf(digits, 'point'), numberOf(digits, 'comma')]
  if ((point === null) === (comma === null)) return null
  return point === null ? 'comma' : 'point'
}

const isComplete = ({ digits }: Amount, style: NumberStyle): boolean => {
  const value = numberOf(digits, style)
  return value !== null && Number.isSafeInteger(value) && !(style === 'point' ? /[.eE]/ : /,/).test(digits)
}

type Typed = Exclude<ColumnType, 'text'>

const isOf: Readonly<Record<Typed, (amount: Amount, style: NumberStyle) => boolean>> = {
  integer: (amount, style) => amount.unit !== '%' && isComplete(amount, style),
  // A whole number that a JavaScript number can't hold is an identifier.
  real: (amount, style) =>
    amount.unit !== '%' &&
    numberOf(amount.digits, style) !== null &&
    (!forms.integer.test(amount.digits) || isComplete(amount, style)),
  percent: ({ unit, digits }, style) => unit === '%' && numberOf(digits, style) !== null,
  boolean: ({ text }) => forms.boolean.test(text),
  date: ({ text }) => forms.isoDate.test(text) || forms.pointDate.test(text),
}

const inOrder = ['boolean', 'integer', 'real', 'percent', 'date'] as const

/** What programs write where there is no value, or no number. */
const missing = /^(?:n\/?a|nan|null|none|nil|-|–|—|\.\.|#n\/a|#div\/0!|#value!|#ref!|#num!|#name\?|#null!)$/i

/** Determines the type of one column, cell by cell. */
export function createTypeReader() {
  const open = { point: new Set<Typed>(inOrder), comma: new Set<Typed>(inOrder) }
  const proven = new Set<NumberStyle>()
  const absent = new Set<string>()
  const units = new Set<string>()
  const lengths = new Set<number>()
  let unclear: string | null = null
  let doubtful: string | null = null
  let written: Amount | null = null
  let isPlain = false
  let filled = 0
  return {
    see(cell: RawCell) {
      const text = cell === null || cell === undefined ? '' : String(cell).trim()
      if (text === '') return
      if (missing.test(text)) {
        absent.add(text)
        return
      }
      filled++
      if (open.point.size === 0 && open.comma.size === 0) return
      const amount = typeof cell === 'number' ? { text, digits: text, unit: '', doubt: null } : amountOf(text)
      const { digits, unit, doubt } = amount
      if (units.size < 3) units.add(unit)
      if (lengths.size < 2) lengths.add(digits.replace(/[.,].*$/, '').length)
      if (doubt === null) isPlain = true
      else doubtful ??= text
      if (digits !== text && unit !== '%') written ??= amount
      // Without a separator, and as a number of JSON, a cell is the same in both styles.
      const isSame = typeof cell === 'number' || !/[.,]/.test(digits)
      if (!isSame) {
        const style = styleOf(amount)
        if (style) proven.add(style)
        if (forms.unclear.test(digits)) unclear ??= text
        // The file writes 1.234,56 where JavaScript writes 1234.56.
        if (!forms.real.test(digits)) written ??= amount
      }
      for (const type of inOrder) {
        if (!open.point.has(type) && !open.comma.has(type)) continue
        const isPoint = isOf[type](amount, 'point')
        if (!isPoint) open.point.delete(type)
        if (!(isSame ? isPoint : isOf[type](amount, 'comma'))) open.comma.delete(type)
      }
    },
    /** The style that its numbers prove; null: none, or both. */
    style: (): NumberStyle | null => (proven.size === 1 ? ([...proven][0] ?? null) : null),
    /** `ofFile`: the style for numbers that are valid in both; null: unknown. */
    column(ofFile: NumberStyle | null): ColumnReading {
      const [own] = proven
      const style = proven.size > 1 ? null : (own ?? (unclear === null ? 'point' : ofFile))
      const type = (filled > 0 && style && inOrder.find((one) => open[style].has(one))) || 'text'
      const isNumeric = type !== 'boolean' && type !== 'date'
      const mixed = isNumeric && units.size > 1
      // 732 829 320 and (1) are numbers only if another cell shows it.
      const isDoubtful = doubtful !== null && !isPlain && proven.size === 0 && lengths.size < 2
      const whyText = (): string | null => {
        if (filled === 0) return null
        if (mixed && type !== 'text')
          return `its numbers are in ${[...units].map((unit) => unit || 'no unit').join(', ')}`
        if (isDoubtful && type !== 'text') return `"${doubtful}" may be a number or a name`
        const isEither = inOrder.some((one) => one !== 'boolean' && one !== 'date' && open.point.has(one))
        return style === null && unclear !== null && isEither
          ? '1.234 and 1,234 may be decimals or thousands here'
          : null
      }
      const why = whyText()
      const read = why === null ? type : 'text'
      const [unit = ''] = units
      return {
        type: read,
        style: style ?? 'point',
        absent: read === 'text' ? [] : [...absent].slice(0, 5),
        unit: (read === 'integer' || read === 'real') && unit !== '' ? unit : null,
        written: read === 'integer' || read === 'real' ? written : null,
        why,
      }
    },
  }
}

export interface ColumnReading {
  readonly type: ColumnType
  readonly style: NumberStyle
  /** Words in it that mean "no value": they become NULL. */
  readonly absent: readonly string[]
  /** The currency of all of its numbers; null: none. */
  readonly unit: string | null
  /** A number that its file writes differently from JavaScript; null: there is none. */
  readonly written: Amount | null
  /** Why it stays text although its cells look like numbers; null: they do not. */
  readonly why: string | null
}

/** The cell as SQLite receives it; empty cells are NULL. */
export function cellOf(cell: RawCell, { type, style }: ColumnReading): Cell {
  if (cell === null || cell === undefined) return null
  const text = String(cell)
  const trimmed = text.trim()
  if (trimmed === '' || (type !== 'text' && missing.test(trimmed))) return null
  switch (type) {
    case 'integer':
    case 'real':
      return typeof cell === 'number' ? cell : numberOf(amountOf(trimmed).digits, style)
    case 'percent': {
      const value = numberOf(amountOf(trimmed).digits, style)
      return value === null ? null : value / 100
    }
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
const typeText: Readonly<Record<ColumnType, string>> = {
  integer: 'integer',
  real: 'real',
  percent: 'real, from percent: 0.5 is 50%',
  boolean: 'integer, 1 is true',
  date: 'text, ISO date',
  text: 'text',
}

/** `real, in €; "1.234,56 €" is 1234.56; "NA" is NULL` */
export function columnWords({ type, style, absent, unit, written, why }: ColumnReading): string {
  if (why !== null) return `text, because ${why}`
  return [
    `${typeText[type]}${unit === null ? '' : `, in ${unit}`}`,
    ...(written === null ? [] : [`"${written.text}" is ${numberOf(written.digits, style)}`]),
    ...(absent.length === 0 ? [] : [`${absent.map((word) => `"${word}"`).join(', ')} is NULL`]),
  ].join('; ')
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
  row.every((cell) => {
    const { digits } = amountOf(String(cell ?? '').trim())
    return typeof cell !== 'number' && numberOf(digits, 'point') === null && numberOf(digits, 'comma') === null
  })
