import type { ToolSpec } from '../types/tool-context-def'

const found = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>()

/** The tools that a prompt lists, neither `disabled` nor `unlisted`: always the same array for the same `tools`, so that what is made of it can be kept. */
export function offeredTools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const known = found.get(tools)
  if (known) return known
  const some = tools.filter((tool) => tool.disabled !== true && tool.unlisted !== true)
  const offered = some.length === tools.length ? tools : some
  found.set(tools, offered)
  return offered
}
