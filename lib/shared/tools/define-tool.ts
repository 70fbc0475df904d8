import * as z from 'zod/mini'
import type { FileAccess } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolContext, ToolOf, ToolOutcome, ToolText } from './tool'
import type { core } from 'zod/mini'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import type { JsonObject, JsonValue } from '@/lib/base/json'

/*
 * z.strictObject({ path: z.string().check(z.describe('a file')), limit: z.optional(z.int().check(z.gte(1))) })
 * → {"type":"object","properties":{"path":{"type":"string","description":"a file"},
 *    "limit":{"type":"integer","minimum":1}},"required":["path"],"additionalProperties":false}
 *
 * The description of a tool's arguments for models, from the schema that checks them. It equals zod's own
 * `toJSONSchema` without the parts that mean nothing to a model (the draft's name, the bounds of all integers), in a
 * stable order of keys. zod's own is several kilobytes, and this module is in the first load of the page.
 */

const OMITTED = new Set(['describe', 'meta', 'number_format'])

/** The JSON Schema of a zod schema. Throws for a part that it does not support: a programming error that the first test finds. */
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
      const required = entries.filter(([, part]) => schemaType(part) !== 'optional').map(([key]) => key)
      const isLoose = def.catchall !== undefined && schemaType(def.catchall) === 'unknown'
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

const schemaType = ({ _zod: { def } }: z.core.$ZodType): string => def.type

function descriptionOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.description
}

const boundsOf = (checks: Parts, of: 'Length' | 'Items'): JsonObject =>
  keywordsOf(checks, { min_length: `min${of}`, max_length: `max${of}` })

const rangeOf = (checks: Parts): JsonObject => keywordsOf(checks, { greater_than: 'minimum', less_than: 'maximum' })

type Parts = readonly z.core.$ZodCheck[] | undefined

function keywordsOf(checks: Parts, names: Readonly<Record<string, string>>): JsonObject {
  const keywords: Record<string, JsonValue> = {}
  for (const {
    _zod: { def },
  } of (checks ?? []) as readonly z.core.$ZodChecks[]) {
    if (OMITTED.has(def.check)) continue
    const keyword = names[def.check]
    const bound = 'minimum' in def ? def.minimum : 'maximum' in def ? def.maximum : 'value' in def ? def.value : null
    const exclusive = 'inclusive' in def && !def.inclusive
    if (keyword === undefined || typeof bound !== 'number' || exclusive) return cannot(`the check ${def.check}`)
    keywords[keyword] = bound
  }
  return keywords
}

function cannot(what: string): never {
  throw new Error(
    `lib/shared/tools/define-tool.ts cannot describe ${what} to a model yet: add it there, or use another schema.`,
  )
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`)

/** How many keys are named, and how much of each: the model chose them, and the sentence is ours. */
const NAMED_KEYS = 5
const quotedKey = (key: string): string => `\`${visibleText(key.slice(0, 40), 'name').replaceAll('`', '’')}\``

function describeIssue(issue: core.$ZodIssue, args: JsonObject): ModelMessage {
  const what = issue.path.map(String).join('.')
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], args)
  switch (issue.code) {
    case 'invalid_type': {
      const expected = issue.expected === 'int' ? 'whole number' : issue.expected
      const wanted = { what, expected, open: /^[aeiou]/.test(expected) }
      if (value === undefined) return makeModelMessage('told.arguments.missing', wanted)
      return makeModelMessage('told.arguments.type', {
        ...wanted,
        was: typeof value === 'number' ? String(value) : typeOf(value),
      })
    }
    case 'too_small':
      if (issue.origin === 'string') return makeModelMessage('told.arguments.empty', { what })
      if (issue.origin === 'array')
        return makeModelMessage('told.arguments.few', { what, bound: Number(issue.minimum) })
      return makeModelMessage('told.arguments.small', { what, bound: String(issue.minimum), was: String(value) })
    case 'too_big':
      if (issue.origin === 'string')
        return makeModelMessage('told.arguments.long', { what, bound: String(issue.maximum) })
      if (issue.origin === 'array')
        return makeModelMessage('told.arguments.many', { what, bound: Number(issue.maximum) })
      return makeModelMessage('told.arguments.large', { what, bound: String(issue.maximum), was: String(value) })
    case 'unrecognized_keys':
      return makeModelMessage('told.arguments.unknown', {
        names: issue.keys.slice(0, NAMED_KEYS).map(quotedKey).join(', '),
        more: issue.keys.length > NAMED_KEYS,
      })
    default:
      return makeModelMessage('told.arguments.invalid', { what })
  }
}

/** Sentences that name each parameter and the expected value. */
const describeIssues = (issues: readonly core.$ZodIssue[], args: JsonObject): readonly ModelMessage[] =>
  issues.map((issue) => describeIssue(issue, args))

// zod probes `new Function` to compile schemas; the app's CSP forbids it and would report each probe.
z.config({ jitless: true })

interface ToolWithSchema<S extends z.ZodMiniType, A extends FileAccess> extends Omit<ToolOf<A>, 'spec' | 'run'> {
  /**
   * `schema` contains the descriptions of the arguments for models in `z.describe`; `parameters` is derived from it.
   */
  readonly spec: Omit<ToolText, 'parameters'> & { readonly schema: S }
  readonly run: (args: z.output<S>, context: ToolContext<A>) => Promise<ToolOutcome>
}

/**
 * Creates a tool. The arguments' description for models, their checks, and the type that `run` gets come from one
 * schema.
 */
export function defineTool<S extends z.ZodMiniType, A extends FileAccess>({
  spec,
  policy,
  card,
  run,
}: ToolWithSchema<S, A>): ToolOf<A> & { readonly spec: { readonly schema: S } } {
  return {
    spec: { ...spec, parameters: jsonSchemaOf(spec.schema) },
    policy,
    card,
    run(args) {
      const checked = spec.schema.safeParse(args)
      if (!checked.success) return { ok: false, refusals: describeIssues(checked.error.issues, args) }
      return { ok: true, run: (context) => run(checked.data, context) }
    },
  }
}
