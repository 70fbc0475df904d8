import { alternativesOf, propertiesOf, resolveSchema } from '../arguments/schema'
import { isCostlyPattern } from '../arguments/validate'
import { requiredOf, signatureOf } from './signature'
import type { ToolSpec, CallToWrite } from '../types/tool-context-def'
import type { ToolIndex } from '../arguments/tool-index'
import type { Breakage } from '../arguments/dialect'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/*
 * A short text that a pattern of a JSON schema accepts, for examples: `^[A-Z]{3}$` → `AAA`. It writes the minimum that
 * the pattern requires: first alternatives, first letters of classes, smallest counts. Unsupported syntax (look-around,
 * references, property escapes) is skipped; the result counts only if the pattern itself accepts it.
 */

/** Longer than any handwritten pattern; longer ones are skipped. */
const MAX_PATTERN = 300
const MAX_REPEATS = 64
/** On longer texts some patterns take exponential time. */
const MAX_COSTLY_TEXT = 12
const MAX_TEXT = 2_000

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
  const most = isCostlyPattern(pattern) ? MAX_COSTLY_TEXT : MAX_TEXT
  return (
    [wished, ...(written === null ? [] : [written])].find((text) => text.length <= most && accepts.test(text)) ?? null
  )
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
    // Repeats of repeats would grow without end.
    text = (text + item.repeat(minCount(reader))).slice(0, MAX_TEXT + 1)
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

function minCount(reader: Reader): number {
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

/** Tells the model what was wrong with a call that could not be read, where, and what a correct call looks like. */
export function teachBreakage(
  breakage: Breakage,
  around: string,
  tools: ToolIndex,
  formatCalls: (calls: readonly CallToWrite[]) => string,
): string {
  const name = readableName(breakage.name, tools)
  const spec = name === undefined ? undefined : tools.match(name, { commands: true })?.spec
  const what = name === undefined ? 'Your tool call' : `Your call to ${name.slice(0, 80)}`
  const place = around.trim() === '' ? '' : ` Near: ${JSON.stringify(around)}.`
  const reason = breakage.reason === 'truncated' && breakage.inside !== true ? 'unclosed' : breakage.reason
  return `${what} ${REASONS[reason](breakage.detail)}${place} Nothing ran.${lesson(spec ?? tools.specs[0], formatCalls)}`
}

/** A name that includes structure is not a name: only the name of a tool, or a possible one, is repeated. */
export function readableName(name: string | undefined, tools: ToolIndex): string | undefined {
  if (name === undefined || tools.match(name, { commands: true })) return name
  return /["'{}[\]:]/.test(name) ? undefined : name
}

const REASONS: Readonly<Record<Breakage['reason'] | 'unclosed', (detail: string | undefined) => string>> = {
  truncated: (detail) =>
    `was cut off before it was complete${detail ? ` (${detail})` : ''}. Do not send it again as it was: send smaller parts, for example a file in several pieces.`,
  unclosed: (detail) =>
    `is not closed: ${detail ?? 'a text or a bracket in it has no end'}. Close every text, bracket and tag, and escape quotation marks inside texts.`,
  'missing-end': (detail) =>
    `has no end marker${detail ? ` (${detail})` : ''}, so it can’t be told from a call that was cut off. Write the whole block, with its end marker.`,
  'missing-name': (detail) => `does not name a tool${detail ? ` (${detail})` : ''}.`,
  'bad-json': (detail) =>
    `is not valid JSON${detail ? `: ${detail}` : ''}. Escape quotation marks and line breaks inside texts as \\" and \\n.`,
  'bad-arguments': (detail) => `has unusable arguments: ${detail ?? 'they must be a JSON object'}.`,
  placeholder: (detail) => `still holds a placeholder${detail ? `: ${detail}` : ''}. Put the real values there.`,
  'too-deep': () => `nests its arguments too deeply; 64 levels are allowed.`,
  'not-a-literal': (detail) =>
    `has an argument that is not a literal${detail ? `: ${detail}` : ''}. Nothing is computed. Write the values themselves.`,
}

/** The tool's signature and a minimal correct call in the active strategy. */
export function lesson(spec: ToolSpec | undefined, formatCalls: (calls: readonly CallToWrite[]) => string): string {
  if (!spec) return ''
  const example = formatCalls([{ name: spec.name, arguments: exampleArguments(spec) }])
  return ` The tool is ${signatureOf(spec)}. A right call looks like this:\n${example}`
}

/**
 * Returns each tool with `neutralise` applied to its description and to those in its schema. Computed once per tool.
 */
export function createHarmlessSpecs(neutralise: (text: string) => string): (spec: ToolSpec) => ToolSpec {
  const made = new WeakMap<ToolSpec, ToolSpec>()
  return (spec) => {
    const known = made.get(spec)
    if (known) return known
    const description = neutralise(spec.description)
    const parameters = describedBy(spec.parameters, neutralise)
    const harmless =
      description === spec.description && parameters === spec.parameters ? spec : { ...spec, description, parameters }
    made.set(spec, harmless)
    return harmless
  }
}

/** Returns the same object if nothing changes. */
function describedBy(schema: JsonObject, neutralise: (text: string) => string): JsonObject {
  const entries = Object.entries(schema).map(([key, value]): [string, JsonValue] => [
    key,
    key === 'description' && typeof value === 'string' ? neutralise(value) : inside(value, neutralise),
  ])
  return entries.every(([key, value]) => schema[key] === value) ? schema : Object.fromEntries(entries)
}

function inside(value: JsonValue, neutralise: (text: string) => string): JsonValue {
  if (isJsonObject(value)) return describedBy(value, neutralise)
  if (!Array.isArray(value)) return value
  const items = value.map((one: JsonValue) => inside(one, neutralise))
  return items.every((one, at) => one === value[at]) ? value : items
}
