import type { ToolSpec } from '../types/tool-context-def'

const found = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>()

/** The tools that are not `disabled`: always the same array for the same `tools`, so that what is made of it can be kept. */
export function offeredTools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const known = found.get(tools)
  if (known) return known
  const some = tools.filter((tool) => tool.disabled !== true)
  const offered = some.length === tools.length ? tools : some
  found.set(tools, offered)
  return offered
}
