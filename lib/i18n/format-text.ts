import { formatsIn, formatMoment, formatDuration, formatWait, formatBytes } from '@/lib/base/text/locale'
import type { I18n } from '@lingui/core'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import { catalogOf } from './messages'

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

/*
 * Formats one message with its values. Lingui reads the compiled message and chooses plural and select forms. Values of
 * our own kinds (a size, a duration, a list) are formatted before, in the message's language.
 */

type Token = string | readonly [key: string, kind?: string, forms?: Readonly<Record<string, readonly Token[]>>]

/** "size, bytes": the name of a value and its kind, as in the compiled message. */
interface Argument {
  readonly key: string
  readonly name: string
  readonly kind: string
}

const argumentsOfMessages = new WeakMap<object, readonly Argument[]>()

function argumentsOf(tokens: readonly Token[]): readonly Argument[] {
  let found = argumentsOfMessages.get(tokens)
  if (found === undefined) {
    const keys = new Set<string>()
    collect(tokens, keys)
    found = [...keys].map((key) => {
      const [name = '', kind = ''] = key.split(', ')
      return { key, name, kind }
    })
    argumentsOfMessages.set(tokens, found)
  }
  return found
}

function collect(tokens: readonly Token[], keys: Set<string>): void {
  for (const token of tokens) {
    if (typeof token === 'string') continue
    keys.add(token[0])
    for (const form of Object.values(token[2] ?? {})) if (Array.isArray(form)) collect(form, keys)
  }
}

/**
 * The text of a message. In English if the language does not have it, for example before its messages have loaded.
 * Null: there is no such message, or the values do not match.
 */
export function formatText(key: string, values: JsonObject, language: Language): string | null {
  const own = catalogOf(language)
  if (own !== undefined && Object.hasOwn(own.messages, key)) return formatIn(own, key, values, language)
  const english = language === 'en' ? undefined : catalogOf('en')
  return english !== undefined && Object.hasOwn(english.messages, key) ? formatIn(english, key, values, 'en') : null
}

function formatIn(catalog: I18n, key: string, values: JsonObject, language: Language): string | null {
  const tokens = catalog.messages[key] as readonly Token[]
  const [only] = tokens
  if (tokens.length === 1 && typeof only === 'string') return only
  const written: Record<string, string | number> = {}
  for (const argument of argumentsOf(tokens)) {
    const value = Object.hasOwn(values, argument.name) ? values[argument.name] : undefined
    const text = value === undefined ? null : write(argument.kind, value, language)
    if (text === null) return null
    written[argument.key] = text
  }
  return catalog._(key, written)
}

/** The value as the message takes it; null if it is of another kind. */
function write(kind: string, value: JsonValue, language: Language): string | number | null {
  if (kind === '') {
    if (typeof value === 'string') return shielded(value)
    return typeof value === 'number' ? value : value === null ? '' : null
  }
  // A form can't be named by an empty text, by a star, or with a hyphen.
  if (kind === 'select') {
    if (typeof value === 'object' && value !== null)
      return Array.isArray(value) && value.length === 0 ? 'empty' : 'some'
    return value === '' ? 'empty' : value === '*' ? 'all' : String(value).replaceAll('-', '_')
  }
  if (isListKind(kind)) {
    if (!Array.isArray(value)) return null
    return shielded(listKinds[kind](value.map(String), language))
  }
  // A null is in a form that is not used.
  if (value === null) return 0
  if (typeof value !== 'number') return null
  return isNumberKind(kind) ? numberKinds[kind](value, language) : value
}

const isListKind = (kind: string): kind is ListKind => Object.hasOwn(listKinds, kind)
const isNumberKind = (kind: string): kind is NumberKind => Object.hasOwn(numberKinds, kind)

/**
 * Lingui reads `\u0041` and `\x41` as escapes, also in values, which come from models and files: this keeps them
 * unchanged.
 */
const shielded = (text: string): string => text.replaceAll(/\\(?=[ux])/g, '\\x5c')
