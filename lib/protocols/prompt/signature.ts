import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { alternativesOf, propertiesOf, resolveSchema } from '../arguments/schema'
import type { ToolSpec } from '../types/tool-context-def'

/** Longer patterns and default values are left out: a model can't follow them anyway, and they cost. */
const MAX_NOTE = 60

const FORMATS: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  time: 'HH:MM:SS',
  'date-time': 'YYYY-MM-DDTHH:MM:SSZ',
  uri: 'URL',
  url: 'URL',
}

/** No one writes more without need; a value that is too long is refused with a sentence. */
const LONG_TEXT = 1_000

/**
 * What a schema asks of a value beyond its type, as a model reads it behind the type: ` (1 to 200, default 50)`; '' when
 * there is nothing to say. `items`: the schema of each item of a list.
 */
function notesOf(schema: JsonObject, items: JsonObject | null = null): string {
  const each = items === null ? [] : notesIn(items)
  const notes = [...notesIn(schema), ...(each.length === 0 ? [] : [`each ${each.join(', ')}`])]
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`
}

function notesIn(schema: JsonObject): readonly string[] {
  const { format, pattern, default: standard } = schema
  const notes = [
    typeof format === 'string' ? (FORMATS[format] ?? format) : null,
    typeof pattern === 'string' && pattern.length <= MAX_NOTE ? `pattern ${oneLine(pattern)}` : null,
    rangeOf(schema, 'minimum', 'maximum', ''),
    above(schema),
    schema['multipleOf'] === undefined ? null : `a multiple of ${JSON.stringify(schema['multipleOf'])}`,
    rangeOf(schema, 'minLength', 'maxLength', ' characters'),
    rangeOf(schema, 'minItems', 'maxItems', ' items'),
    schema['uniqueItems'] === true ? 'no item twice' : null,
    standard === undefined ? null : defaultOf(standard),
  ]
  return notes.filter((note) => note !== null)
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

function defaultOf(value: JsonValue): string | null {
  const text = JSON.stringify(value)
  return text.length <= MAX_NOTE && value !== null ? `default ${text}` : null
}

function rangeOf(schema: JsonObject, lowest: string, highest: string, unit: string): string | null {
  const low = numberIn(schema[lowest])
  const high = numberIn(schema[highest])
  // That a text or a list holds something is what everyone expects.
  const least = low === null || (unit !== '' && low <= 1) || isNoBound(low) ? null : low
  const most = high === null || isNoBound(high) || (unit === ' characters' && high >= LONG_TEXT) ? null : high
  if (least !== null && most !== null) return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`
  if (least !== null) return `at least ${least}${unit}`
  return most === null ? null : `at most ${most}${unit}`
}

/** Where whole numbers end in JavaScript: schemas made by libraries name it for every integer. */
const isNoBound = (value: number): boolean => Math.abs(value) >= Number.MAX_SAFE_INTEGER

function above({ exclusiveMinimum, exclusiveMaximum }: JsonObject): string | null {
  const low = numberIn(exclusiveMinimum)
  const high = numberIn(exclusiveMaximum)
  const notes = [low === null ? null : `above ${low}`, high === null ? null : `below ${high}`]
  const said = notes.filter((note) => note !== null)
  return said.length === 0 ? null : said.join(', ')
}

const numberIn = (value: JsonValue | undefined): number | null => (typeof value === 'number' ? value : null)

const MAX_DEPTH = 4

/** `read_file(path: string, offset?: integer, limit?: integer)` */
export const signatureOf = (spec: ToolSpec): string => `${spec.name}(${parametersOf(spec)})`

/** `path: string, offset?: integer, limit?: integer` */
export function parametersOf(spec: ToolSpec): string {
  const properties = propertiesOf(spec.parameters) ?? {}
  const required = requiredOf(spec.parameters)
  const parameters = Object.entries(properties).map(
    ([key, schema]) => `${keyText(key)}${required.includes(key) ? '' : '?'}: ${typeText(schema, spec.parameters, 0)}`,
  )
  return parameters.join(', ')
}

const keyText = (key: string): string => (/^[\p{L}\p{N}_.$-]+$/u.test(key) ? key : JSON.stringify(key))

export function requiredOf(schema: JsonObject): readonly JsonValue[] {
  const required = schema['required']
  return Array.isArray(required) ? required : []
}

/** A type with what its schema asks beyond it: `integer (1 to 200, default 50)`. */
function typeText(value: JsonValue | undefined, root: JsonObject, depth: number): string {
  const schema = resolveSchema(value, root)
  const options = schema['enum']
  if (Array.isArray(options))
    return options.map((option: JsonValue) => JSON.stringify(option)).join(' | ') + defaultNote(schema)
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const branches = alternativesOf(schema)
  if (branches.length > 1) {
    // A schema may hold itself: below the depth, branches are named and no longer looked into.
    const texts = branches.map((branch) =>
      depth >= MAX_DEPTH ? typeName(resolveSchema(branch, root)) : typeText(branch, root, depth + 1),
    )
    return [...new Set(texts)].join(' | ') + defaultNote(schema)
  }
  return bareType(schema, root, depth) + allNotes(schema, root)
}

const defaultNote = (schema: JsonObject): string =>
  schema['default'] === undefined ? '' : notesOf({ default: schema['default'] })

function bareType(schema: JsonObject, root: JsonObject, depth: number): string {
  const type = schema['type']
  if (depth >= MAX_DEPTH) return typeName(schema)
  if (type === 'array') return `${itemType(resolveSchema(schema['items'], root), root, depth)}[]`
  const properties = propertiesOf(schema) ?? {}
  const members = Object.entries(properties)
  if (type === 'object' && members.length > 0) {
    const required = requiredOf(schema)
    const texts = members.map(
      ([key, child]) => `${keyText(key)}${required.includes(key) ? '' : '?'}: ${typeText(child, root, depth + 1)}`,
    )
    return `{ ${texts.join(', ')} }`
  }
  const others = schema['additionalProperties']
  if (type === 'object' && isJsonObject(others) && Object.keys(others).length > 0)
    return `{ [name: string]: ${typeText(others, root, depth + 1)} }`
  return typeName(schema)
}

/** Brackets only where the type would be read in two ways: what an item's schema asks beyond it is behind the list. */
function itemType(items: JsonObject, root: JsonObject, depth: number): string {
  if (isSimple(items)) return bareType(items, root, depth + 1)
  const text = typeText(items, root, depth + 1)
  return /^"[^"]*"$/.test(text) ? text : `(${text})`
}

const isSimple = (schema: JsonObject): boolean =>
  schema['enum'] === undefined && schema['const'] === undefined && alternativesOf(schema).length === 1

/** Of a list also what each of its items must be. */
function allNotes(schema: JsonObject, root: JsonObject): string {
  const items = schema['type'] === 'array' ? resolveSchema(schema['items'], root) : null
  return notesOf(schema, items !== null && isSimple(items) ? items : null)
}

const typeName = ({ type }: JsonObject): string => (typeof type === 'string' ? type : 'any')
