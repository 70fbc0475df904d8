/*
 * Numbers as people and programs write them: `1 234,56`, `1’234.50`, `(1,234.50)`, `12 %`, `€ 5`, `1.234,56 EUR`, `20-`.
 */

/** A cell without what is around its digits. */
export interface Amount {
  /** Unchanged. */
  readonly text: string
  /** A minus sign at most, digits and their separators, without spaces; or the text, if it is no number. */
  readonly digits: string
  /** A currency as written, or `%`; '': none. */
  readonly unit: string
  /** It may be something else: digits in groups may be an identifier, `(1)` a number in a list. Null: a number. */
  readonly doubt: 'groups' | 'brackets' | null
}

const plain = /^-?\d+(?:\.\d+)?$/
const unit = "[^\\d\\s.,;:()'’%−+-]{1,4}\\.?"
const amount = new RegExp(
  `^(?<open>\\()?(?<minus>[-−]\\s?)?(?:(?<before>${unit})\\s?)?(?<second>[-−]\\s?)?(?<number>\\d(?:[\\d.,'’\\s]*\\d)?|[.,]\\d+)(?:\\s?(?<after>${unit}|%))?(?<last>\\s?[-−])?(?<close>\\))?$`,
  'u',
)
/** Groups of three with one kind of separator between them. */
const grouped = /^[1-9]\d{0,2}(?<gap>[\s'’])\d{3}(?:\k<gap>\d{3})*(?:[.,]\d+)?$/u

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
const isCurrency = (text: string): boolean =>
  /^[A-Z]{0,3}\p{Sc}$/u.test(text) ||
  /^(?:元|円|원|zł|kr\.?|Kč|Ft|lei|лв\.?|р\.|руб\.?)$/u.test(text) ||
  codes.has(text)

export function amountOf(text: string): Amount {
  const none = { text, digits: text, unit: '', doubt: null } as const
  if (plain.test(text)) return none
  const { open, minus, before, second, number = '', after, last, close } = amount.exec(text)?.groups ?? {}
  const signs = [open, minus, second, last].filter((sign) => sign !== undefined).length
  if (number === '' || signs > 1 || (open === undefined) !== (close === undefined)) return none
  const named = before ?? after ?? ''
  if ((before !== undefined && after !== undefined) || (named !== '' && named !== '%' && !isCurrency(named)))
    return none
  const gap = grouped.exec(number)?.groups?.['gap']
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
