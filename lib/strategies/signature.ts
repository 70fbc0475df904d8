import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { alternativesOf, propertiesOf, resolveSchema } from './arguments/schema'
import { notesOf } from './parameter-notes'
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

/** Brackets only where the type would be read in two ways: what an item's schema asks beyond it stands behind the list. */
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
