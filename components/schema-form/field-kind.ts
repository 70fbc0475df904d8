import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { propertiesOf, resolveSchema } from '@/lib/protocols/arguments/schema'

/** How one parameter is filled in. */
export type FieldKind =
  | { readonly kind: 'text'; readonly lines: boolean }
  | { readonly kind: 'number' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly options: readonly JsonValue[] }
  /** A list of texts or numbers, one field each. */
  | { readonly kind: 'list'; readonly items: 'text' | 'number' }
  /** Everything else, as JSON. */
  | { readonly kind: 'json' }

export interface FormField {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly field: FieldKind
}

/** Texts with these names are rarely one line. */
const LONG_NAMES = /^(code|content|text|body|script|source|query|prompt|markdown|html|css|json|patch|diff)$/i
const LONG_TEXT = 80

/** The fields for a tool's parameters in their order. Further members of `args` are kept, and shown in the raw view. */
export function formFields(schema: JsonObject, args: JsonObject): readonly FormField[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly JsonValue[]) : []
  return Object.entries(propertiesOf(schema) ?? {}).map(([name, raw]) => {
    const property = resolveSchema(raw, schema)
    const { description } = property
    return {
      name,
      description: typeof description === 'string' ? description : '',
      required: required.includes(name),
      field: fieldKind(name, property, schema, Object.hasOwn(args, name) ? args[name] : undefined),
    }
  })
}

function fieldKind(name: string, schema: JsonObject, root: JsonObject, value: JsonValue | undefined): FieldKind {
  const options = schema['enum']
  if (Array.isArray(options)) return { kind: 'enum', options: options as readonly JsonValue[] }
  switch (schema['type']) {
    case 'string': {
      const written = typeof value === 'string' && (value.includes('\n') || value.length > LONG_TEXT)
      return { kind: 'text', lines: written || LONG_NAMES.test(name) }
    }
    case 'number':
    case 'integer':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return listKind(schema, root, value)
    default:
      return { kind: 'json' }
  }
}

function listKind(schema: JsonObject, root: JsonObject, value: JsonValue | undefined): FieldKind {
  const type = resolveSchema(schema['items'], root)['type']
  const plain = value === undefined || (Array.isArray(value) && value.every((one: JsonValue) => !isNested(one)))
  if (!plain || (type !== 'string' && type !== 'number' && type !== 'integer')) return { kind: 'json' }
  return { kind: 'list', items: type === 'string' ? 'text' : 'number' }
}

const isNested = (value: JsonValue): boolean => Array.isArray(value) || isJsonObject(value)

/** A typed number. Invalid input stays text, so that nothing is lost and the schema reports the error. */
export function readNumber(text: string): JsonValue {
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : text
}

/** Typed JSON. Invalid input stays text. */
export function readJsonField(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

/** `args` with one member set in its position; undefined removes it. */
export function withMember(args: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  if (value === undefined) return Object.fromEntries(Object.entries(args).filter(([key]) => key !== name))
  return Object.hasOwn(args, name)
    ? Object.fromEntries(Object.entries(args).map(([key, old]) => [key, key === name ? value : old]))
    : { ...args, [name]: value }
}
