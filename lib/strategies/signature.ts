import type { JsonObject, JsonValue } from '@/lib/base/json'
import { alternativesOf, propertiesOf, resolveSchema } from './arguments/schema'
import type { ToolSpec } from './tool-context-def'

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

function requiredOf(schema: JsonObject): readonly JsonValue[] {
  const required = schema['required']
  return Array.isArray(required) ? required : []
}

function typeText(value: JsonValue | undefined, root: JsonObject, depth: number): string {
  const schema = resolveSchema(value, root)
  const options = schema['enum']
  if (Array.isArray(options)) return options.map((option: JsonValue) => JSON.stringify(option)).join(' | ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const branches = alternativesOf(schema)
  if (branches.length > 1) {
    // A schema may hold itself: below the depth, branches are named and no longer looked into.
    const texts = branches.map((branch) =>
      depth >= MAX_DEPTH ? typeName(resolveSchema(branch, root)) : typeText(branch, root, depth + 1),
    )
    return [...new Set(texts)].join(' | ')
  }
  const type = schema['type']
  if (depth >= MAX_DEPTH) return typeName(schema)
  if (type === 'array') {
    const item = typeText(schema['items'], root, depth + 1)
    return item.includes('|') ? `(${item})[]` : `${item}[]`
  }
  const properties = propertiesOf(schema)
  if (type === 'object' && properties) {
    const required = requiredOf(schema)
    const members = Object.entries(properties).map(
      ([key, child]) => `${keyText(key)}${required.includes(key) ? '' : '?'}: ${typeText(child, root, depth + 1)}`,
    )
    return `{ ${members.join(', ')} }`
  }
  return typeName(schema)
}

const typeName = ({ type }: JsonObject): string => (typeof type === 'string' ? type : 'any')

/** The first line of a description that says something, at most `max` characters. */
export function shortDescription(spec: ToolSpec, max = 240): string {
  const line = (/\S[^\r\n]*/.exec(spec.description)?.[0] ?? '').trim()
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`
}

/** Values for a minimal right call: required parameters only. */
export function exampleArguments(spec: ToolSpec): JsonObject {
  const properties = propertiesOf(spec.parameters) ?? {}
  const result: Record<string, JsonValue> = {}
  for (const key of requiredOf(spec.parameters))
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

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : [])

/** 1, or the number nearest to it that the schema's bounds admit. */
function exampleNumber({ minimum, maximum, exclusiveMinimum, multipleOf }: JsonObject): number {
  let value = 1
  if (typeof maximum === 'number') value = Math.min(value, maximum)
  if (typeof minimum === 'number') value = Math.max(value, minimum)
  if (typeof exclusiveMinimum === 'number') value = Math.max(value, exclusiveMinimum + 1)
  return typeof multipleOf === 'number' && multipleOf > 0 ? Math.ceil(value / multipleOf) * multipleOf : value
}

function exampleText(key: string, { format, minLength, maxLength }: JsonObject): string {
  const named = `${typeof format === 'string' ? format : ''} ${key}`
  const text = EXAMPLE_TEXTS.find(([pattern]) => pattern.test(named))?.[1] ?? 'text'
  const long = text.padEnd(typeof minLength === 'number' ? Math.min(minLength, 64) : 0, 'x')
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long
}

/** Files of an example stand in a folder of their own: an example that comes back as a call must not hit a real file. */
const EXAMPLE_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/path|file/i, '/example/a.md'],
  [/dir|folder/i, '/example'],
  [/code|script/i, '6 * 7'],
  [/ur[il]\b/i, 'https://example.org/'],
  [/email/i, 'someone@example.org'],
  [/date-time/i, '2026-01-31T12:00:00Z'],
  [/date/i, '2026-01-31'],
  [/query|search/i, 'words'],
]
