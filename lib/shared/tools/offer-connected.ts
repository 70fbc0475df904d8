import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'

/**
 * What is offered where the asking page is connected to the tools named `connected`: the chat's own tools beside them are
 * `disabled`. A model is never told of a tool that nobody can carry out. `own`: the names of the chat's own tools.
 */
export const offerConnected = (
  specs: readonly ToolSpec[],
  own: readonly string[],
  connected: readonly string[],
): readonly ToolSpec[] =>
  own.every((name) => connected.includes(name))
    ? specs
    : specs.map((spec) =>
        own.includes(spec.name) && !connected.includes(spec.name) ? { ...spec, disabled: true } : spec,
      )
