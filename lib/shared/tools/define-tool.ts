import * as z from 'zod/mini'
import type { FileAccess } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolContext, ToolOf, ToolOutcome, ToolText } from './tool'
import { jsonSchemaOf } from './json-schema-of'
import type { core } from 'zod/mini'
import { makeModelMessage, type Told } from '@/lib/i18n/t'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import type { JsonObject } from '@/lib/base/json'

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`)

/** How many keys are named, and how much of each: the model chose them, and the sentence is ours. */
const NAMED_KEYS = 5
const quotedKey = (key: string): string => `\`${visibleText(key.slice(0, 40), 'name').replaceAll('`', '’')}\``

function describeIssue(issue: core.$ZodIssue, args: JsonObject): Told {
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
const describeIssues = (issues: readonly core.$ZodIssue[], args: JsonObject): readonly Told[] =>
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
