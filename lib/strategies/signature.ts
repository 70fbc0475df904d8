import type { JsonObject, JsonValue } from '@/lib/base/json'
import { branchesOf, propertiesOf, resolveSchema } from './arguments/schema'
import type { ToolSpec } from './tool-context-def'

const MAX_DEPTH = 4

/** `read_file(path: string, offset?: integer, limit?: integer)` */
export function signatureOf(spec: ToolSpec): string {
  const properties = propertiesOf(spec.parameters) ?? {}
  const required = requiredOf(spec.parameters)
  const parameters = Object.entries(properties).map(
    ([key, schema]) => `${key}${required.includes(key) ? '' : '?'}: ${typeText(schema, spec.parameters, 0)}`,
  )
  return `${spec.name}(${parameters.join(', ')})`
}

function requiredOf(schema: JsonObject): readonly JsonValue[] {
  const required = schema['required']
  return Array.isArray(required) ? required : []
}

function typeText(value: JsonValue | undefined, root: JsonObject, depth: number): string {
  const schema = resolveSchema(value, root)
  const options = schema['enum']
  if (Array.isArray(options)) return options.map((option: JsonValue) => JSON.stringify(option)).join(' | ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const branches = branchesOf(schema)
  if (branches.length > 1) return [...new Set(branches.map((branch) => typeText(branch, root, depth + 1)))].join(' | ')
  const type = schema['type']
  if (depth >= MAX_DEPTH) return typeof type === 'string' ? type : 'any'
  if (type === 'array') {
    const item = typeText(schema['items'], root, depth + 1)
    return item.includes('|') ? `(${item})[]` : `${item}[]`
  }
  const properties = propertiesOf(schema)
  if (type === 'object' && properties) {
    const required = requiredOf(schema)
    const members = Object.entries(properties).map(
      ([key, child]) => `${key}${required.includes(key) ? '' : '?'}: ${typeText(child, root, depth + 1)}`,
    )
    return `{ ${members.join(', ')} }`
  }
  return typeof type === 'string' ? type : 'any'
}

/** The first sentence or line of a description, at most `max` characters. */
export function shortDescription(spec: ToolSpec, max = 240): string {
  const line = (spec.description.split('\n')[0] ?? '').trim()
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
  const options = schema['enum']
  if (Array.isArray(options) && options[0] !== undefined) return options[0]
  if (schema['const'] !== undefined) return schema['const']
  const branch = branchesOf(schema)[0] ?? schema
  switch (branch['type']) {
    case 'integer':
    case 'number':
      return typeof branch['minimum'] === 'number' && branch['minimum'] > 0 ? branch['minimum'] : 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return depth > MAX_DEPTH ? [] : [exampleValue(key, resolveSchema(branch['items'], root), root, depth + 1)]
    case 'object': {
      const properties = propertiesOf(branch) ?? {}
      const members = depth > MAX_DEPTH ? [] : requiredOf(branch).filter((one) => typeof one === 'string')
      return Object.fromEntries(
        members.map((one) => [one, exampleValue(one, resolveSchema(properties[one], root), root, depth + 1)]),
      )
    }
    default:
      return EXAMPLE_TEXTS.find(([pattern]) => pattern.test(key))?.[1] ?? 'text'
  }
}

const EXAMPLE_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/path|file/i, '/notes/a.md'],
  [/dir|folder/i, '/notes'],
  [/code|script/i, 'return 6 * 7'],
  [/url/i, 'https://example.org/'],
  [/query|search/i, 'words'],
]
