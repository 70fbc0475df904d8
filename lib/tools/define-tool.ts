import * as z from 'zod/mini'
import type { JsonObject } from '@/lib/base/json'
import type { FileAccess, ToolContext, ToolOf, ToolOutcome } from './tool'
import { describeIssues } from './describe-issues'
import { jsonSchemaOf } from './json-schema-of'

// zod probes `new Function` to compile schemas; the app's CSP forbids it and would report each probe.
z.config({ jitless: true })

interface ToolWithSchema<S extends z.ZodMiniType, A extends FileAccess> extends Omit<
  ToolOf<A>,
  'validate' | 'run' | 'parameters'
> {
  /** Of the arguments, with what models are told of each in `z.describe`; `parameters` is made of it. */
  readonly schema: S
  readonly run: (args: z.output<S>, context: ToolContext<A>) => Promise<ToolOutcome>
}

/** Makes a tool whose arguments are checked by a zod schema, both in `validate` and before `run`. */
export function defineTool<S extends z.ZodMiniType, A extends FileAccess>(
  tool: ToolWithSchema<S, A>,
): ToolOf<A> & { readonly schema: S } {
  const { schema } = tool
  return {
    ...tool,
    parameters: jsonSchemaOf(schema),
    validate(args) {
      const checked = schema.safeParse(args)
      return checked.success ? { ok: true } : { ok: false, message: describeIssues(checked.error.issues, args) }
    },
    async run(args: JsonObject, context: ToolContext<A>) {
      const checked = schema.safeParse(args)
      if (checked.success) return tool.run(checked.data, context)
      return { ok: false, reason: 'invalid-arguments', message: describeIssues(checked.error.issues, args) }
    },
  }
}
