import type { ToolDefinition } from './tool'

export interface TaggedTools<T> {
  /** Null: tools without a tag. */
  readonly tag: string | null
  readonly tools: readonly T[]
}

/** Tools under their first tag, in the order in which tags and tools come. Each stands in one group. */
export function groupByTag<T extends Pick<ToolDefinition, 'tags'>>(tools: readonly T[]): readonly TaggedTools<T>[] {
  const groups = new Map<string | null, T[]>()
  for (const tool of tools) {
    const tag = tool.tags[0] ?? null
    const group = groups.get(tag)
    if (group) group.push(tool)
    else groups.set(tag, [tool])
  }
  return [...groups].map(([tag, of]) => ({ tag, tools: of }))
}
