import { promptCost } from '@/lib/protocols/prompt-cost'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import type { McpTool, ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'

/** What tools of a server add to each prompt in this call format. */
export function tokensOf(tools: readonly McpTool[], server: Omit<ToolSetRef, 'hash'>, strategy: StrategyId): number {
  const specs = toolsOfSet(server, tools).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }))
  return Math.max(0, promptCost(strategy, specs) - promptCost(strategy, []))
}
