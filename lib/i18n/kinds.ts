import type { Language } from '@/lib/base/text/languages'
import { formatsIn, formatMoment, formatDuration, formatWait, formatBytes } from '@/lib/base/text/locale'

/** Estimates have at most two significant digits. */
const about = (value: number): number => Number(value.toPrecision(2))
const tenth = (value: number): number => Math.round(value * 10) / 10

/** Number formats that a message can name: `{size, bytes}`. */
export const numberKinds = {
  bytes: formatBytes,
  /** Milliseconds. */
  span: formatDuration,
  seconds: (value, language) => formatDuration(value * 1000, language),
  /** Seconds to wait, rounded to a useful precision. */
  wait: formatWait,
  /** Out of a hundred. */
  percent: (value, language) => formatsIn(language).percentWords(value),
  /** A fraction of one, as a percentage. */
  share: (value, language) => formatsIn(language).percentWords(Math.round(value * 100)),
  /** A fraction of one, as points out of a hundred. */
  hundredths: (value, language) => formatsIn(language).numberWords(tenth(value * 100)),
  about: (value, language) => formatsIn(language).numberWords(about(value)),
  /** A p value. */
  chance: (p) => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.1 ? 3 : 2).replace(/(\.\d\d)0$/, '$1')}`),
  /** In an unnamed currency. */
  cost: (value) => (value < 0.01 ? '< 0.01' : value.toFixed(2)),
  /** Milliseconds since 1970. */
  day: (value, language) => formatsIn(language).dayWords(value),
  moment: (value, language) => formatMoment(value, language),
} as const satisfies Readonly<Record<string, (value: number, language: Language) => string>>

/** List formats, likewise. */
export const listKinds = {
  /** "a, b, c" */
  list: (parts, language) => formatsIn(language).listed(parts),
  /** "a, b, and c" */
  and: (parts, language) => formatsIn(language).allOf(parts),
  /** Parts that may contain commas. */
  clauses: (parts, language) => parts.join(language === 'zh-CN' ? '；' : '; '),
  /** Parts of a longer sentence, separated by full stops. */
  points: (parts, language) => parts.join(language === 'zh-CN' ? '。' : '. '),
  /** Types of JSON values, as a schema names them; "string or null" is one of two. */
  types: (names, language) =>
    language === 'zh-CN'
      ? [...new Set(names.flatMap((one) => one.split(' or ')))].map(typeInChinese).join('或')
      : names.join(' or '),
  /** Whole sentences. */
  sentences: (parts, language) => parts.join(language === 'zh-CN' ? '' : ' '),
} as const satisfies Readonly<Record<string, (parts: readonly string[], language: Language) => string>>

export type NumberKind = keyof typeof numberKinds
export type ListKind = keyof typeof listKinds

const typesInChinese: Readonly<Record<string, string>> = {
  string: '文本',
  number: '数字',
  integer: '整数',
  boolean: 'true 或 false',
  array: '列表',
  object: '对象',
  value: '某个值',
}

const typeInChinese = (name: string): string =>
  (Object.hasOwn(typesInChinese, name) ? typesInChinese[name] : undefined) ?? name
