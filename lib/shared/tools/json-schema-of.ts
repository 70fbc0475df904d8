import * as z from 'zod/mini'
import type { JsonObject, JsonValue } from '@/lib/base/json'

/*
 * z.strictObject({ path: z.string().check(z.describe('a file')), limit: z.optional(z.int().check(z.gte(1))) })
 * → {"type":"object","properties":{"path":{"type":"string","description":"a file"},
 *    "limit":{"type":"integer","minimum":1}},"required":["path"],"additionalProperties":false}
 *
 * What models are told of a tool's arguments, from the schema that checks them. The same as zod's own `toJSONSchema`
 * gives, less what tells a model nothing (the draft's name, the bounds of all integers), in a stable order of keys;
 * that one is several kilobytes, and this module is in the first load of the page.
 */

const NOT_SAID = new Set(['describe', 'meta', 'number_format'])

/** The JSON Schema of a zod schema. Throws where a part of it can't be told: our mistake, found by the first test. */
export function jsonSchemaOf(schema: z.core.$ZodType): JsonObject {
  const schemaPart = partOf(schema as z.core.$ZodTypes)
  const description = descriptionOf(schema)
  return description === undefined ? schemaPart : { ...schemaPart, description }
}

function partOf({ _zod: { def } }: z.core.$ZodTypes): JsonObject {
  switch (def.type) {
    case 'optional':
      return jsonSchemaOf(def.innerType)
    case 'string':
      if ('format' in def) return cannot(`a string of the format ${String(def.format)}`)
      return { type: 'string', ...boundsOf(def.checks, 'Length') }
    case 'number': {
      const isInteger = 'format' in def && def.format === 'safeint'
      return { type: isInteger ? 'integer' : 'number', ...rangeOf(def.checks) }
    }
    case 'boolean':
      return { type: 'boolean' }
    case 'enum':
      return { type: 'string', enum: Object.values(def.entries).map(String) }
    case 'unknown':
      return {}
    case 'array':
      return { type: 'array', ...boundsOf(def.checks, 'Items'), items: jsonSchemaOf(def.element) }
    case 'object': {
      const entries = Object.entries(def.shape)
      const required = entries.filter(([, part]) => typeOf(part) !== 'optional').map(([key]) => key)
      const isLoose = def.catchall !== undefined && typeOf(def.catchall) === 'unknown'
      return {
        type: 'object',
        properties: Object.fromEntries(entries.map(([key, part]) => [key, jsonSchemaOf(part)])),
        ...(required.length > 0 && { required }),
        additionalProperties: isLoose ? {} : false,
      }
    }
    default:
      return cannot(`zod’s ${def.type}`)
  }
}

const typeOf = ({ _zod: { def } }: z.core.$ZodType): string => def.type

function descriptionOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.description
}

const boundsOf = (checks: Parts, of: 'Length' | 'Items'): JsonObject =>
  saidOf(checks, { min_length: `min${of}`, max_length: `max${of}` })

const rangeOf = (checks: Parts): JsonObject => saidOf(checks, { greater_than: 'minimum', less_than: 'maximum' })

type Parts = readonly z.core.$ZodCheck[] | undefined

function saidOf(checks: Parts, words: Readonly<Record<string, string>>): JsonObject {
  const keywords: Record<string, JsonValue> = {}
  for (const {
    _zod: { def },
  } of (checks ?? []) as readonly z.core.$ZodChecks[]) {
    if (NOT_SAID.has(def.check)) continue
    const word = words[def.check]
    const bound = 'minimum' in def ? def.minimum : 'maximum' in def ? def.maximum : 'value' in def ? def.value : null
    const exclusive = 'inclusive' in def && !def.inclusive
    if (word === undefined || typeof bound !== 'number' || exclusive) return cannot(`the check ${def.check}`)
    keywords[word] = bound
  }
  return keywords
}

function cannot(what: string): never {
  throw new Error(
    `lib/shared/tools/json-schema-of.ts cannot tell a model of ${what} yet: add it there, or say it otherwise.`,
  )
}
