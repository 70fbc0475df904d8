import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { alternativesOf, propertiesOf, resolveSchema } from '../arguments/schema'
import { requiredOf } from './signature'
import type { ToolSpec } from '../types/tool-context-def'

/*
 * A short text that a pattern of a JSON schema accepts, for examples: `^[A-Z]{3}$` → `AAA`. It writes the minimum that
 * the pattern requires: first alternatives, first letters of classes, smallest counts. Unsupported syntax (look-around,
 * references, property escapes) is skipped; the result counts only if the pattern itself accepts it.
 */

/** Longer than any handwritten pattern; longer ones are skipped. */
const MAX_PATTERN = 300
const MAX_REPEATS = 64

/** `wished` if the pattern accepts it, else the shortest text found; null if none was found. */
export function exampleOfPattern(pattern: string, wished: string): string | null {
  if (pattern.length > MAX_PATTERN) return null
  let accepts: RegExp
  try {
    accepts = new RegExp(pattern, 'u')
  } catch {
    return null
  }
  const written = writeLeast(pattern)
  return [wished, ...(written === null ? [] : [written])].find((text) => accepts.test(text)) ?? null
}

function writeLeast(pattern: string): string | null {
  const reader = { at: 0, pattern }
  const text = alternatives(reader)
  return reader.at === pattern.length ? text : null
}

interface Reader {
  at: number
  readonly pattern: string
}

/** Uses the first alternative and only parses the others. */
function alternatives(reader: Reader): string {
  let first: string | null = null
  do {
    const text = sequence(reader)
    first ??= text
  } while (take(reader, '|'))
  return first
}

function sequence(reader: Reader): string {
  let text = ''
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at] ?? '')) {
    const item = atom(reader)
    text += item.repeat(leastCount(reader))
  }
  return text
}

function take(reader: Reader, text: string): boolean {
  if (!reader.pattern.startsWith(text, reader.at)) return false
  reader.at += text.length
  return true
}

function match(reader: Reader, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = reader.at
  const found = sticky.exec(reader.pattern)
  if (found) reader.at += found[0].length
  return found
}

function leastCount(reader: Reader): number {
  const found = match(reader, /[*+?]\??|\{(\d+)(?:,\d*)?\}\??/y)
  if (!found) return 1
  if (found[1] !== undefined) return Math.min(Number(found[1]), MAX_REPEATS)
  return found[0].startsWith('+') ? 1 : 0
}

const ESCAPES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', n: '\n', t: '\t' }

function atom(reader: Reader): string {
  if (take(reader, '^') || take(reader, '$') || match(reader, /\\[bB]/y)) return ''
  if (take(reader, '(')) {
    const isLookAround = match(reader, /\?(?:<?[=!])/y) !== null
    match(reader, /\?(?::|<\w+>)/y)
    const text = alternatives(reader)
    take(reader, ')')
    return isLookAround ? '' : text
  }
  if (take(reader, '.')) return 'a'
  if (take(reader, '[')) return classMember(reader)
  const escape = match(reader, /\\u([\da-fA-F]{4})|\\(.)/uy)
  if (escape) return escapeText(escape)
  return match(reader, /[^]/uy)?.[0] ?? ''
}

const escapeText = ([, code, letter = '']: readonly (string | undefined)[]): string =>
  code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16))

/** The first member of a class; for `[^…]` the first common letter that is not excluded. */
function classMember(reader: Reader): string {
  const start = reader.at - 1
  const isNot = take(reader, '^')
  let first: string | null = null
  while (reader.at < reader.pattern.length && !take(reader, ']')) {
    const escape = match(reader, /\\u([\da-fA-F]{4})|\\(.)/uy)
    const member = escape ? escapeText(escape) : (match(reader, /[^]/uy)?.[0] ?? '')
    first ??= member
  }
  if (!isNot) return first ?? ''
  const inClass = new RegExp(reader.pattern.slice(start, reader.at), 'u')
  return Array.from('a1A- ').find((letter) => inClass.test(letter)) ?? ''
}

const MAX_DEPTH = 4

/** Values for a minimal valid call: required parameters only. */
export function exampleArguments(spec: ToolSpec): JsonObject {
  const properties = propertiesOf(spec.parameters) ?? {}
  const result: Record<string, JsonValue> = {}
  for (const key of [...requiredOf(spec.parameters), ...(spec.oneOf?.slice(0, 1) ?? [])])
    if (typeof key === 'string')
      result[key] = exampleValue(key, resolveSchema(properties[key], spec.parameters), spec.parameters, 0)
  return result
}

function exampleValue(key: string, schema: JsonObject, root: JsonObject, depth: number): JsonValue {
  const { examples, default: standard, enum: options, const: only } = schema
  const given = [only, ...listOf(examples), standard, ...listOf(options)].find((one) => one !== undefined)
  if (given !== undefined) return given
  const [branch = schema] = alternativesOf(schema)
  if (branch !== schema && depth <= MAX_DEPTH) return exampleValue(key, resolveSchema(branch, root), root, depth + 1)
  switch (branch['type']) {
    case 'integer':
    case 'number':
      return exampleNumber(branch)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array': {
      if (depth > MAX_DEPTH) return []
      const item = exampleValue(key, resolveSchema(branch['items'], root), root, depth + 1)
      const { minItems } = branch
      return Array.from({ length: typeof minItems === 'number' ? Math.min(Math.max(minItems, 1), 8) : 1 }, () => item)
    }
    case 'object': {
      const properties = propertiesOf(branch) ?? {}
      const members = depth > MAX_DEPTH ? [] : requiredOf(branch).filter((one) => typeof one === 'string')
      return Object.fromEntries(
        members.map((one) => [one, exampleValue(one, resolveSchema(properties[one], root), root, depth + 1)]),
      )
    }
    default:
      return exampleText(key, branch)
  }
}

/** Whether every string in `value`, at any depth, matches its pattern. */
export function fitsPatterns(value: JsonValue, root: JsonObject, rawSchema: JsonValue = root): boolean {
  const schema = resolveSchema(rawSchema, root)
  if (typeof value === 'string') {
    const { pattern } = schema
    return typeof pattern !== 'string' || exampleOfPattern(pattern, value) === value
  }
  if (Array.isArray(value)) return value.every((one: JsonValue) => fitsPatterns(one, root, schema['items'] ?? {}))
  const properties = propertiesOf(schema) ?? {}
  return (
    !isJsonObject(value) || Object.entries(value).every(([key, one]) => fitsPatterns(one, root, properties[key] ?? {}))
  )
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : [])

/** 1, or the nearest number within the schema's bounds. */
function exampleNumber({ minimum, maximum, exclusiveMinimum, multipleOf }: JsonObject): number {
  let value = 1
  if (typeof maximum === 'number') value = Math.min(value, maximum)
  if (typeof minimum === 'number') value = Math.max(value, minimum)
  if (typeof exclusiveMinimum === 'number') value = Math.max(value, exclusiveMinimum + 1)
  return typeof multipleOf === 'number' && multipleOf > 0 ? Math.ceil(value / multipleOf) * multipleOf : value
}

function exampleText(key: string, { format, pattern, minLength, maxLength }: JsonObject): string {
  const named = `${typeof format === 'string' ? format : ''} ${key}`
  const text = EXAMPLE_TEXTS.find(([about]) => about.test(named))?.[1] ?? 'text'
  const long = text.padEnd(typeof minLength === 'number' ? Math.min(minLength, 64) : 0, 'x')
  const fitting = typeof maxLength === 'number' ? long.slice(0, maxLength) : long
  return typeof pattern === 'string' ? (exampleOfPattern(pattern, fitting) ?? fitting) : fitting
}

/**
 * Files in examples are in a folder of their own, so that an example that comes back as a call does not touch a real
 * file.
 */
const EXAMPLE_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/path|file/i, '/example/a.md'],
  [/dir|folder/i, '/example'],
  [/code|script/i, '6 * 7'],
  [/ur[il]\b/i, 'https://example.org/'],
  [/email/i, 'someone@example.org'],
  [/date-time/i, '2026-01-31T12:00:00Z'],
  [/date/i, '2026-01-31'],
  [/^time /i, '12:00:00'],
  [/^uuid /i, '123e4567-e89b-42d3-a456-426614174000'],
  [/^ipv4 /i, '192.0.2.1'],
  [/^ipv6 /i, '2001:db8::1'],
  [/^hostname /i, 'example.org'],
  [/^duration /i, 'PT1H'],
  [/query|search/i, 'words'],
]
