import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { propertiesOf, resolveSchema } from '../arguments/schema'
import type { ToolSpec } from '../types/tool-context-def'

/**
 * The parameters of a tool as a part of a larger schema: objects take only the keys that the reader keeps, and local references
 * (`#/…`) point below `place`.
 */
export function toolSchema(
  { parameters }: ToolSpec,
  place: string,
): { readonly schema: JsonObject; readonly refers: boolean } {
  let refers = false
  const copied = (value: JsonValue, isSchema: boolean): JsonValue => {
    if (Array.isArray(value)) return value.map((one) => copied(one, isSchema))
    if (!isJsonObject(value)) return value
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, child]): [string, JsonValue] => {
        if (isSchema && key === '$ref' && typeof child === 'string' && child.startsWith('#/')) {
          refers = true
          return [key, `${place}${child.slice(1)}`]
        }
        if (isSchema && VALUES.has(key)) return [key, child]
        // The keys of these are names, and their values schemas.
        return [key, isSchema && NAMED.has(key) ? namedSchemas(child) : copied(child, true)]
      }),
    )
    const closes = isSchema && propertiesOf(value) !== null && value['additionalProperties'] === undefined
    return closes && value['anyOf'] === undefined && value['oneOf'] === undefined && value['allOf'] === undefined
      ? { ...copy, additionalProperties: false }
      : copy
  }
  const namedSchemas = (value: JsonValue): JsonValue =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, child]): [string, JsonValue] => [key, copied(child, true)]))
      : value
  const schema = copied(parameters, true)
  const object = isJsonObject(schema) ? schema : {}
  const typed = resolveSchema(parameters, parameters)['type'] === undefined ? { type: 'object', ...object } : object
  return { schema: typed, refers }
}

const NAMED = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'])
/** What stands there is data. */
const VALUES = new Set(['enum', 'const', 'default', 'examples', 'required'])
