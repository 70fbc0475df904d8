import { promptCost } from '@/lib/protocols/tool-context-builder'
import { maxListed, withServers } from '@/lib/protocols/prompt/unlisted-tools'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { McpTool, ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import { findTools } from '@/lib/shared/tools/find-tools'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'

/** Stands for the tools that a chat has anyway: the rules of its call format and its example come with them. */
const first: ToolSpec = {
  name: 'tool',
  description: 'A tool',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

/** What tools of a server add to each prompt in this call format. */
export function tokensOf(tools: readonly McpTool[], server: Omit<ToolSetRef, 'hash'>, strategy: StrategyId): number {
  // So many are not listed: the model looks for them.
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
