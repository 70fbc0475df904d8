import type { ToolCallConfig } from '@/lib/conversation/conversation'
import type { RegisteredTool } from '@/lib/conversation/registered-tool'

/**
 * The tools that an export brings, as this server takes them: to read old calls by, and no more. What they may do and what
 * models are told of them is asked anew when their owner registers them here.
 */
export const broughtTools = (
  tools: readonly RegisteredTool[],
  isFree: (name: string) => boolean,
): readonly RegisteredTool[] => {
  const byName = new Map(tools.filter(({ name }) => isFree(name)).map((tool) => [tool.name, tool]))
  return [...byName.values()].map((tool) => ({ ...tool, permission: 'sensitive', origin: 'imported' }))
}

/** The file must not switch on the tools that it brings, even where its choice of tools is let in. */
export function withoutToggles(config: ToolCallConfig, brought: readonly RegisteredTool[]): ToolCallConfig {
  const names = new Set(brought.map(({ name }) => name))
  const kept = Object.entries(config.toolToggles).filter(([name]) => !names.has(name))
  return { ...config, toolToggles: Object.fromEntries(kept) }
}
