import { readersLanguage, type Language } from './languages'

/*
 * Formats for text that people read: plural forms, numbers, sizes, times and lists in the reader's language. Text for
 * models is always English and takes its plural forms from `english`.
 */

/** The forms of a word by the language's plural category; every language has `other`. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

export interface Formats {
  /** The form for the number: 1 → "line", 2 → "lines". */
  readonly plural: (count: number, forms: Forms) => string
  /** The number with its ordinal ending: 3 → "3rd". */
  readonly ordinal: (place: number, endings: Forms) => string
  /** 12345 → "12,345". */
  readonly numberWords: (value: number) => string
  /** The number with its word: 12345 → "12,345 lines". */
  readonly counted: (count: number, forms: Forms) => string
  /** A day: "November 22, 2026". */
  readonly dayWords: (time: number) => string
  /** A percentage: 12 → "12 %". */
  readonly percentWords: (value: number) => string
  /** With a unit that `Intl` knows: 3.4, "second", 1 → "3.4 sec". */
  readonly withUnit: (value: number, unit: string, minimumFractionDigits: number) => string
  /** A plain list: "a, b, c". */
  readonly listed: (parts: readonly string[]) => string
  /** A list within a sentence: "a, b, and c". */
  readonly allOf: (parts: readonly string[]) => string
}

/** Formats are created on first use, so that a page starts without them. */
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
    percentWords: (value) => `${numberWords(value)}${locale.startsWith('zh') ? '%' : ' %'}`,
    withUnit: (value, unit, minimumFractionDigits) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, minimumFractionDigits }).format(value),
    listed: (parts) => parts.join(locale.startsWith('zh') ? '、' : ', '),
    allOf: (parts) => new Intl.ListFormat(locale).format(parts),
  }
}

export const english: Formats = createFormats('en')

/** Plural forms for sentences that exist in English only. */
export const { plural, ordinal, counted } = english

const formats: Partial<Record<Language, Formats>> = { en: english }

export const formatsIn = (language: Language): Formats => (formats[language] ??= createFormats(language))

/** A number in the reader's language: 12345 → "12,345". */
export const formatNumber = (value: number): string => formatsIn(readersLanguage()).numberWords(value)

/** A day: "November 22, 2026", "2026年11月22日". */
export const formatDay = (time: number): string => formatsIn(readersLanguage()).dayWords(time)

const moments: Partial<Record<Language, Intl.DateTimeFormat>> = {}

/** A time to the second, in the reader's language; in English, in the format of the reader's own system. */
export function formatMoment(time: number, language: Language = readersLanguage()): string {
  const locale = language === 'en' ? undefined : language
  moments[language] ??= new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  return moments[language].format(time)
}

/** A duration: 12 → "12 ms", 3400 → "3.4 s", 65 000 → "1 min 5 s"; in Chinese "12 毫秒", "3.4 秒", "1 分钟 5 秒". */
export function formatDuration(ms: number, language: Language = readersLanguage()): string {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 1000) return withUnit(whole, 'millisecond', language)
  if (whole < 59_950) return withUnit((whole / 1000).toFixed(1), 'second', language)
  const seconds = Math.round(whole / 1000)
  const parts = [withUnit(Math.floor(seconds / 60), 'minute', language), withUnit(seconds % 60, 'second', language)]
  return parts.join(' ')
}

/** A running clock never shows milliseconds: 40 → "0.0 s", 3 430 → "3.4 s". */
export const formatElapsed = (ms: number): string =>
  ms < 1000 ? withUnit(`0.${Math.floor(Math.max(0, ms) / 100)}`, 'second', readersLanguage()) : formatDuration(ms)

/** How long to wait: 45 → "45 s", 200 → "4 min", 9000 → "3 h". Rounded up, so that people do not return too early. */
export function formatWait(seconds: number, language: Language = readersLanguage()): string {
  if (seconds < 90) return withUnit(Math.max(1, Math.ceil(seconds)), 'second', language)
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? withUnit(minutes, 'minute', language) : withUnit(Math.ceil(minutes / 60), 'hour', language)
}

const symbols = { millisecond: 'ms', second: 's', minute: 'min', hour: 'h' } as const

/** English uses unit symbols, where `Intl` would write "3.4 sec"; other languages use `Intl`. */
function withUnit(value: number | string, unit: keyof typeof symbols, language: Language): string {
  if (language === 'en') return `${value} ${symbols[unit]}`
  const words = formatsIn(language).withUnit(Number(value), unit, typeof value === 'string' ? 1 : 0)
  // As everywhere in our Chinese, where `Intl` writes "3.4秒".
  return words.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ')
}

const units = ['KB', 'MB', 'GB', 'TB'] as const

/** A size in decimal units with one digit after the point: 418 → "418 B", 2100 → "2.1 KB", 8e6 → "8 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.max(0, Math.round(bytes))} B`
  let value = bytes
  let unit = ''
  for (const next of units) {
    value /= 1000
    unit = next
    // 999.95 would round up to "1000.0 KB", so it becomes 1 of the next unit.
    if (value < 999.95) break
  }
  return `${value.toFixed(1).replace(/\.0$/, '')} ${unit}`
}
