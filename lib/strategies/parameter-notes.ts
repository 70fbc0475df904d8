import type { JsonObject, JsonValue } from '@/lib/base/json'

/** Longer patterns and default values are left out: a model can't follow them anyway, and they cost. */
const MAX_NOTE = 60

const FORMATS: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  time: 'HH:MM:SS',
  'date-time': 'YYYY-MM-DDTHH:MM:SSZ',
  uri: 'URL',
  url: 'URL',
}

/** Nobody writes more without need; a value that is too long is refused with a sentence. */
const LONG_TEXT = 1_000

/**
 * What a schema asks of a value beyond its type, as a model reads it behind the type: ` (1 to 200, default 50)`; '' when
 * there is nothing to say. `items`: the schema of each item of a list.
 */
export function notesOf(schema: JsonObject, items: JsonObject | null = null): string {
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
  // That a text or a list holds something is what everybody expects.
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
