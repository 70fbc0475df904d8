import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { makeModelMessage, type ModelMessage, t } from '@/lib/i18n/t'
import { canonicalJson } from '../types/canonical-json'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { alternativesOf, propertiesOf, resolveSchema } from './schema'
import type { Coercion } from '../types/segment'

/** Longer keys are treated as text, not as keys. */
const MAX_KEY = 40

/**
 * A key written by the model inside one of our sentences: quoted, shown as code and cut, so that it can't be mistaken
 * for the app's text.
 */
const keyPart = (key: string): SentencePart => ({ code: `"${cutKey(key)}"` })

/** The same for a value. */
const valuePart = (value: string): SentencePart => ({ code: cutKey(value) })

const cutKey = (key: string): string =>
  key.length > MAX_KEY ? `${key.slice(0, MAX_KEY).replace(/[\ud800-\udbff]$/, '')}…` : key

/** A description of the change, without end punctuation; keys and values are code parts. */
export const coercionText = (coercion: Coercion): readonly SentencePart[] =>
  withParts((part) => {
    const what = coercion.path === '' ? t('coercion.all') : part(keyPart(coercion.path))
    switch (coercion.kind) {
      case 'to-number':
      case 'to-integer':
      case 'to-boolean':
        return t('coercion.became', { what, value: coercion.became })
      case 'to-string':
        return t('coercion.to-string', { what, value: part(valuePart(coercion.became)) })
      case 'to-array':
        return t(`coercion.list-of-${coercion.from}`, { what })
      case 'to-null':
      case 'to-object':
      case 'big-integer-kept':
        return t(`coercion.${coercion.kind}`, { what })
      case 'key-mapped':
        return t(coercion.by === 'vcp' ? 'coercion.key-vcp' : 'coercion.key-mapped', {
          what: part(keyPart(coercion.key)),
          to: part(keyPart(coercion.to)),
        })
      case 'key-dropped':
        return t(`coercion.${coercion.because}`, { what: part(keyPart(coercion.key)) })
      case 'default-dropped':
        return t('coercion.default-dropped', { what: part(keyPart(coercion.key)), was: coercion.was })
    }
  })

/** The types that a schema names; [] if it allows any type. */
export function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type']
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string')
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches)) return [...new Set(branches.filter(isJsonObject).flatMap(typesOf))]
  return []
}

/** What is wrong with one value (not with its contents), as ends of a sentence: "must be at least 1". */
export function checkValue(value: JsonValue, schema: JsonObject): readonly ModelMessage[] {
  const type = schema['type']
  if (typeof type === 'string' && !isOfType(value, type))
    return [makeModelMessage('argument.type', { wanted: type, given: typeName(value) })]
  const issues: ModelMessage[] = []
  const options = schema['enum']
  if (Array.isArray(options) && !options.some((option) => same(option, value)))
    issues.push(makeModelMessage('argument.enum', { options: options.map((option) => JSON.stringify(option)) }))
  if (schema['const'] !== undefined && !same(schema['const'], value))
    issues.push(makeModelMessage('argument.const', { value: JSON.stringify(schema['const']) }))
  if (typeof value === 'number') issues.push(...checkNumber(value, schema))
  else if (typeof value === 'string' && type === 'string')
    issues.push(...checkSize(charactersOf(value, schema), schema, 'Length'), ...checkForm(value, schema))
  else if (Array.isArray(value)) {
    issues.push(...checkSize(value.length, schema, 'Items'))
    if (
      schema['uniqueItems'] === true &&
      new Set(value.map((item: JsonValue) => canonicalJson(item))).size < value.length
    )
      issues.push(makeModelMessage('argument.uniqueItems'))
  }
  const excluded = schema['not']
  if (isJsonObject(excluded) && isPlain(excluded) && checkValue(value, excluded).length === 0)
    issues.push(makeModelMessage('argument.not'))
  return issues
}

/** Keywords that `checkValue` fully checks. With other keywords, the value alone does not show whether it fits. */
const PLAIN =
  /^(?:type|enum|const|minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|pattern)$/
export const isPlain = (schema: JsonObject): boolean => {
  const words = Object.keys(schema).filter((word) => word !== 'description' && word !== 'title')
  return words.length > 0 && words.every((word) => PLAIN.test(word)) && !Array.isArray(schema['type'])
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'date-time': /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)$/,
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
  uri: /^[a-z][a-z\d+.-]{0,30}:\S+$/i,
}

function checkForm(text: string, schema: JsonObject): readonly ModelMessage[] {
  const { pattern, format } = schema
  const issues: ModelMessage[] = []
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (typeof format === 'string' && known && !known.test(text))
    issues.push(makeModelMessage('argument.format', { value: format }))
  const wanted = typeof pattern === 'string' ? safePattern(pattern, text) : null
  if (wanted && typeof pattern === 'string' && !wanted.test(text))
    issues.push(makeModelMessage('argument.pattern', { value: pattern }))
  return issues
}

/** Whether the format or pattern of a string is checked. It is not if it is unknown or could take too long. */
export function isCheckedForm(word: 'format' | 'pattern', schema: JsonObject, text: string): boolean {
  const wanted = schema[word]
  if (typeof wanted !== 'string' || schema['type'] !== 'string') return false
  return word === 'format' ? Object.hasOwn(FORMATS, wanted) : safePattern(wanted, text) !== null
}

/** A repeated group, a look-around or a back reference may take exponential time, so such patterns are not checked. */
const COSTLY = /\)\s*(?:[*+]|\{\d*,\})|\\[1-9]|\(\?(?!:)/
const UNBOUNDED = /[*+]|\{\d+,\}/g

/** Patterns come from servers. */
export const isCostlyPattern = (pattern: string): boolean =>
  COSTLY.test(pattern) || (pattern.match(UNBOUNDED) ?? []).length > 2

function safePattern(pattern: string, text: string): RegExp | null {
  if (isCostlyPattern(pattern) || pattern.length > 200 || text.length > 2000) return null
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}

const limits = {
  minimum: (value, bound) => value < bound,
  maximum: (value, bound) => value > bound,
  exclusiveMinimum: (value, bound) => value <= bound,
  exclusiveMaximum: (value, bound) => value >= bound,
  multipleOf: (value, bound) => bound > 0 && !Number.isInteger(value / bound),
} as const satisfies Readonly<Record<string, (value: number, bound: number) => boolean>>

const checkNumber = (value: number, schema: JsonObject): readonly ModelMessage[] =>
  (Object.keys(limits) as (keyof typeof limits)[]).flatMap((key) => {
    const bound = schema[key]
    return typeof bound === 'number' && limits[key](value, bound)
      ? makeModelMessage(`argument.${key}`, { bound: String(bound) })
      : []
  })

/** Counts characters as JSON Schema does: a surrogate pair is one character. */
const charactersOf = (text: string, { minLength, maxLength }: JsonObject): number =>
  minLength === undefined && maxLength === undefined ? text.length : Array.from(text).length

function checkSize(size: number, schema: JsonObject, suffix: 'Length' | 'Items'): readonly ModelMessage[] {
  const issues: ModelMessage[] = []
  const min = schema[`min${suffix}`]
  const max = schema[`max${suffix}`]
  if (typeof min === 'number' && size < min)
    issues.push(makeModelMessage(`argument.min${suffix}`, { bound: String(min) }))
  if (typeof max === 'number' && size > max)
    issues.push(makeModelMessage(`argument.max${suffix}`, { bound: String(max) }))
  return issues
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'integer':
      // Digits beyond 2^53 represent a number that a double can't hold.
      return Number.isInteger(value) || isBigDigits(value)
    case 'number':
      return typeof value === 'number' || isBigDigits(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'null':
      return value === null
    default:
      return typeof value === type || !['string', 'boolean'].includes(type)
  }
}

const isBigDigits = (value: JsonValue): boolean => typeof value === 'string' && /^-?\d{16,}$/.test(value)
const typeName = (value: JsonValue): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const same = (a: JsonValue, b: JsonValue): boolean =>
  a === b || (typeof a === 'object' && canonicalJson(a) === canonicalJson(b))

/** A keyword of a tool's schema that applies to an argument but was not checked. */
interface UncheckedWord {
  readonly word: string
  /** The argument: `tags`, `style.at`, `points[].x`; empty for the arguments as a whole. */
  readonly path: string
}

/** JSON Schema keywords that are not checked, by the type that they apply to. */
const OF_LISTS = ['contains', 'additionalItems', 'unevaluatedItems']
const OF_OBJECTS = ['propertyNames', 'minProperties', 'maxProperties', 'unevaluatedProperties']
/** Keywords that apply to a value only if one of the keys that they name is present. */
const BY_KEY = ['dependentSchemas', 'dependentRequired', 'dependencies']
const OF_ANYTHING = ['if', '$dynamicRef', '$recursiveRef']
const MAX_DEPTH = 32
const MAX_ITEMS = 100

/** The schema keywords that the arguments were not checked against, each once per argument. */
export function uncheckedText(args: JsonObject, parameters: JsonObject): readonly UncheckedWord[] {
  const found = new Map<string, UncheckedWord>()
  const note = (word: string, path: string) => found.set(`${word} ${path}`, { word, path })
  const walk = (value: JsonValue, raw: JsonValue | undefined, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) return
    if (isElsewhere(raw, parameters)) note('$ref', path)
    const schema = resolveSchema(raw, parameters)
    for (const word of wordsOf(value, schema)) note(word, path)
    const branches = alternativesOf(schema).map((branch) => resolveSchema(branch, parameters))
    const branch = branches.find((one) => checkValue(value, one).length === 0)
    if (branch && (schema['anyOf'] ?? schema['oneOf']) !== undefined) walk(value, branch, path, depth + 1)
    if (Array.isArray(value)) {
      const first: readonly JsonValue[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
      for (const [i, item] of value.slice(0, MAX_ITEMS).entries())
        walk(item, first[i] ?? schema['items'], `${path}[]`, depth + 1)
    } else if (isJsonObject(value)) {
      const properties = propertiesOf(schema) ?? {}
      for (const [key, one] of Object.entries(value)) {
        const own = Object.hasOwn(properties, key) ? properties[key] : schema['additionalProperties']
        walk(one, own, path === '' ? key : `${path}.${key}`, depth + 1)
      }
    }
  }
  walk(args, parameters, '', 0)
  return [...found.values()]
}

/** A reference to another document or to a missing location. */
function isElsewhere(raw: JsonValue | undefined, root: JsonObject): boolean {
  if (!isJsonObject(raw) || raw['$ref'] === undefined) return false
  const ref = raw['$ref']
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return true
  let target: JsonValue | undefined = root
  for (const step of ref.slice(2).split('/'))
    target = isJsonObject(target) && Object.hasOwn(target, step) ? target[step] : undefined
  return target === undefined || resolveSchema(raw, root)['$ref'] !== undefined
}

function wordsOf(value: JsonValue, schema: JsonObject): readonly string[] {
  const has = (word: string) => schema[word] !== undefined
  const words = OF_ANYTHING.filter(has)
  const excluded = schema['not']
  if (excluded !== undefined && !(isJsonObject(excluded) && isPlain(excluded))) words.push('not')
  if (typeof value === 'string')
    words.push(...(['format', 'pattern'] as const).filter((word) => has(word) && !isCheckedForm(word, schema, value)))
  else if (Array.isArray(value)) words.push(...OF_LISTS.filter(has))
  else if (isJsonObject(value)) {
    words.push(...OF_OBJECTS.filter(has))
    words.push(...BY_KEY.filter((word) => namesOneOf(schema[word], value)))
    const properties = propertiesOf(schema) ?? {}
    const others = Object.keys(value).some((key) => !Object.hasOwn(properties, key))
    if (has('patternProperties') && others) words.push('patternProperties')
  }
  return words
}

const namesOneOf = (word: JsonValue | undefined, value: JsonObject): boolean =>
  isJsonObject(word) && Object.keys(word).some((key) => Object.hasOwn(value, key))

/** The maximum number of keywords named in the sentence; a schema may contain a thousand. */
const SAID_WORDS = 4

/** Says which keywords of the tool's schema the arguments were not checked against; [] if all were checked. */
export function uncheckedSentence(words: readonly UncheckedWord[]): readonly SentencePart[] {
  const shownWords = words.slice(0, SAID_WORDS)
  const more = words.length - shownWords.length
  return [
    ...shownWords.flatMap(({ word, path }, i) =>
      withParts((part) => {
        const what = path === '' ? t('unchecked.all') : part(keyPart(path))
        const one = t('unchecked.one', { word, what })
        return t(i === 0 ? 'unchecked.first' : 'unchecked.next', { one })
      }),
    ),
    ...(more > 0 ? [t('unchecked.more', { count: more })] : []),
  ]
}
