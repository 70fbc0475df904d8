import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

const MAX_DEPTH = 32

/** Types of the Berkeley files (Python, Java and JavaScript), in lower case → JSON Schema's; '': any. */
const types: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  char: 'string',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  short: 'integer',
  byte: 'integer',
  bigint: 'integer',
  number: 'number',
  float: 'number',
  double: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
  tuple: 'array',
  set: 'array',
  arraylist: 'array',
  dict: 'object',
  object: 'object',
  hashmap: 'object',
  null: 'null',
  none: 'null',
  any: '',
}

const typeOf = (type: string): string | null => types[type.toLowerCase().replace(/[[(<].*$/s, '')] ?? null

/**
 * Converts a schema of such a file to JSON Schema: types are mapped, and anything else is left out. An unknown type
 * allows any value.
 */
export function schemaFrom(value: JsonValue | undefined, depth = 0): JsonObject {
  if (!isJsonObject(value) || depth > MAX_DEPTH) return {}
  const { type, properties, items, required, enum: options, description, default: fallback } = value
  const known = typeof type === 'string' ? typeOf(type) : ''
  return {
    ...(known !== null && known !== '' && { type: known }),
    ...(typeof description === 'string' && { description }),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, schemaFrom(inner, depth + 1)] as const),
      ),
    }),
    ...(isJsonObject(items) && { items: schemaFrom(items, depth + 1) }),
    ...(Array.isArray(required) && { required: required.filter((one) => typeof one === 'string') }),
    ...(Array.isArray(options) && options.length > 0 && { enum: options }),
    ...(fallback !== undefined && fallback !== null && { default: fallback }),
  }
}

/** Parameters of a tool: always an object. */
export function parametersFrom(value: JsonValue | undefined): JsonObject {
  const schema = schemaFrom(value)
  return {
    ...schema,
    type: 'object',
    properties: isJsonObject(schema['properties']) ? schema['properties'] : {},
    required: Array.isArray(schema['required']) ? schema['required'] : [],
  }
}

/** Names that every object has. */
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Whether a parameter may have this name: names that every object has can't be read from a reply. */
export const isParameterName = (name: string): boolean => !inherited.has(name) && name !== 'prototype'

/**
 * A tool's name in a form that all providers accept: letters, digits, `_` and `-`, at most 64. Null: nothing is left.
 */
export function toolNameFrom(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string') return null
  const plain = value.trim().replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (!/[A-Za-z0-9]/.test(plain)) return null
  return (inherited.has(plain) || !/^[A-Za-z]/.test(plain) ? `tool_${plain}` : plain).slice(0, 64)
}
