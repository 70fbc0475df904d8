import * as z from 'zod/mini'
import type { FileAccess } from '@/lib/conversation/tool-rights'
import type { ToolContext, ToolOf, ToolOutcome } from './tool'
import { describeIssues } from './describe-issues'
import { jsonSchemaOf } from './json-schema-of'

// zod probes `new Function` to compile schemas; the app's CSP forbids it and would report each probe.
z.config({ jitless: true })

interface ToolWithSchema<S extends z.ZodMiniType, A extends FileAccess> extends Omit<
  ToolOf<A>,
  'prepare' | 'parameters'
> {
  /** Of the arguments, with what models are told of each in `z.describe`; `parameters` is made of it. */
  readonly schema: S
  readonly run: (args: z.output<S>, context: ToolContext<A>) => Promise<ToolOutcome>
}

/** Makes a tool of its zod schema: what models are told of the arguments, and what `run` gets, come from that alone. */
export function defineTool<S extends z.ZodMiniType, A extends FileAccess>({
  run,
  ...tool
}: ToolWithSchema<S, A>): ToolOf<A> & { readonly schema: S } {
  return {
    ...tool,
    parameters: jsonSchemaOf(tool.schema),
    prepare(args) {
      const checked = tool.schema.safeParse(args)
      if (!checked.success) return { ok: false, told: describeIssues(checked.error.issues, args) }
      return { ok: true, run: (context) => run(checked.data, context) }
    },
  }
}
