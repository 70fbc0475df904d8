import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { canonicalJson } from '../canonical-json'

/** The types that a schema names; [] when it takes any. */
export function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type']
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string')
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches)) return [...new Set(branches.filter(isJsonObject).flatMap(typesOf))]
  return []
}

/** What is wrong with one value (not with what it contains), as ends of a sentence: "must be at least 1". */
export function checkValue(value: JsonValue, schema: JsonObject): readonly string[] {
  const type = schema['type']
  if (typeof type === 'string' && !isOfType(value, type))
    return [`must be ${article(type)}, not ${article(typeName(value))}`]
  const issues: string[] = []
  const options = schema['enum']
  if (Array.isArray(options) && !options.some((option) => same(option, value)))
    issues.push(`must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}`)
  if (schema['const'] !== undefined && !same(schema['const'], value))
    issues.push(`must be ${JSON.stringify(schema['const'])}`)
  if (typeof value === 'number') issues.push(...checkNumber(value, schema))
  else if (typeof value === 'string' && type === 'string')
    issues.push(...checkSize(charactersOf(value, schema), schema, 'Length', 'characters'))
  else if (Array.isArray(value)) issues.push(...checkSize(value.length, schema, 'Items', 'items'))
  return issues
}

function checkNumber(value: number, schema: JsonObject): string[] {
  const issues: string[] = []
  const limit = (key: string, fails: (bound: number) => boolean, words: string) => {
    const bound = schema[key]
    if (typeof bound === 'number' && fails(bound)) issues.push(`must be ${words} ${bound}`)
  }
  limit('minimum', (bound) => value < bound, 'at least')
  limit('maximum', (bound) => value > bound, 'at most')
  limit('exclusiveMinimum', (bound) => value <= bound, 'more than')
  limit('exclusiveMaximum', (bound) => value >= bound, 'less than')
  limit('multipleOf', (bound) => bound > 0 && !Number.isInteger(value / bound), 'a multiple of')
  return issues
}

/** Characters are counted as JSON Schema counts them: a pair of units is one. */
const charactersOf = (text: string, { minLength, maxLength }: JsonObject): number =>
  minLength === undefined && maxLength === undefined ? text.length : Array.from(text).length

function checkSize(size: number, schema: JsonObject, suffix: 'Length' | 'Items', unit: string): string[] {
  const issues: string[] = []
  const min = schema[`min${suffix}`]
  const max = schema[`max${suffix}`]
  if (typeof min === 'number' && size < min) issues.push(`must have at least ${min} ${unit}`)
  if (typeof max === 'number' && size > max) issues.push(`must have at most ${max} ${unit}`)
  return issues
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'integer':
      // Digits beyond 2^53 stand for the number that a double can't hold.
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
const article = (type: string): string => (type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`)

const same = (a: JsonValue, b: JsonValue): boolean =>
  a === b || (typeof a === 'object' && canonicalJson(a) === canonicalJson(b))
