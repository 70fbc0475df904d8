/*
 * The language of what people read, in the one place that knows it: which form of a word stands beside a number, and how
 * numbers and times are written. What models read is English whatever people read: it says its forms by `english`.
 */

/** The forms of a word, by the category that a language puts a number into; `other` is the one that every language has. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

export interface Formats {
  /** The form that goes with the number: 1 → "line", 2 → "lines". */
  readonly plural: (count: number, forms: Forms) => string
  /** The number and the ending of its place: 3 → "3rd". */
  readonly ordinal: (place: number, endings: Forms) => string
  /** 12345 → "12,345". */
  readonly numberWords: (value: number) => string
  /** Both: 12345 → "12,345 lines". */
  readonly counted: (count: number, forms: Forms) => string
  /** A day: "November 22, 2026". */
  readonly dayWords: (time: number) => string
}

/** Made when they are first needed: a page starts without any. */
export function createFormats(locale: string): Formats {
  let rules: Intl.PluralRules | undefined
  let numbers: Intl.NumberFormat | undefined
  const plural: Formats['plural'] = (count, forms) =>
    forms[(rules ??= new Intl.PluralRules(locale)).select(count)] ?? forms.other
  const ordinal: Formats['ordinal'] = (place, endings) => {
    const ending = endings[new Intl.PluralRules(locale, { type: 'ordinal' }).select(place)] ?? endings.other
    return numberWords(place) + ending
  }
  const numberWords = (value: number): string => (numbers ??= new Intl.NumberFormat(locale)).format(value)
  return {
    plural,
    ordinal,
    numberWords,
    counted: (count, forms) => `${numberWords(count)} ${plural(count, forms)}`,
    dayWords: (time) => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(time),
  }
}

export const english: Formats = createFormats('en')

/** For people: today all of them read English. */
export const { plural, ordinal, numberWords, counted, dayWords } = english

let moments: Intl.DateTimeFormat | undefined

/** A time as the reader's own system writes it, to the second. */
export const momentWords = (time: number): string =>
  (moments ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })).format(time)
