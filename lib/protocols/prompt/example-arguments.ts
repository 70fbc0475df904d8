import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { alternativesOf, propertiesOf, resolveSchema } from '../arguments/schema'
import { exampleOfPattern } from './pattern-example'
import { requiredOf } from './signature'
import type { ToolSpec } from '../types/tool-context-def'

const MAX_DEPTH = 4

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

/** Whether every text among the members of `value`, at any depth, is one that its pattern accepts. */
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

/** 1, or the number nearest to it that the schema's bounds admit. */
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

/** Files of an example stand in a folder of their own: an example that comes back as a call must not hit a real file. */
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
