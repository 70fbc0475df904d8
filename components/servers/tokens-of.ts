import { promptCost } from '@/lib/protocols/tool-context-builder'
import { maxListed, withServers } from '@/lib/protocols/prompt/unlisted-tools'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { McpTool, ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import { findTools } from '@/lib/shared/tools/find-tools'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'

/** Represents the tools that a chat has anyway, which bring the rules and the example of its call format. */
const first: ToolSpec = {
  name: 'tool',
  description: 'A tool',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

/** Tokens that a server's tools add to each prompt in this call format. */
export function tokensOf(tools: readonly McpTool[], server: Omit<ToolSetRef, 'hash'>, strategy: StrategyId): number {
  // Too many to list: the model searches for them.
  if (tools.length > maxListed) {
    const names = toolsOfSet(server, tools).map(({ name }) => name)
    const finder = withServers(findTools.spec, [{ host: server.host, names }])
    return Math.max(0, promptCost(strategy, [first, finder]) - promptCost(strategy, [first]))
  }
  const specs = toolsOfSet(server, tools).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }))
  return Math.max(0, promptCost(strategy, [first, ...specs]) - promptCost(strategy, [first]))
}
