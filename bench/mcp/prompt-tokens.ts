import { toolContextBuilder as builder, promptCost } from '@/lib/protocols/tool-context-builder'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { strategyIds, type StrategyId, type ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { defaultToolConfig, type RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { buildModelInput } from '@/lib/shared/prompt/model-messages'
import { createReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { discoverTools } from '@/lib/shared/tools/discovery'
import { toolRegistry } from '@/lib/shared/tools/testing/built-in'

const config = { ...defaultToolConfig, enabled: true }

/** The requested number of tools: those of real servers, repeated under other names if there are too few. */
export function manyTools(lists: ReadonlyMap<string, readonly McpTool[]>, count: number): readonly RegisteredTool[] {
  const tools: RegisteredTool[] = []
  for (let turn = 0; tools.length < count; turn += 1) {
    for (const [name, list] of lists) {
      tools.push(
        ...toolsOfSet(
          { server: `${name}${turn}`, host: `${name}${turn}.example.com`, prefix: `s${turn}_${name}` },
          list,
        ),
      )
    }
  }
  return tools.slice(0, count)
}

function offeredIn(strategy: StrategyId, tools: readonly RegisteredTool[]): readonly ToolSpec[] {
  const specs = discoverTools(toolRegistry.of(tools), config)
  const { nativeTools } = buildModelInput({
    conversation: { settings: { version: 4, model: 'demo/demo', strategy, systemPrompt: '', tools: config } },
    path: [{ conversationId: 'c', parentId: null, createdAt: 0, id: 'u1', role: 'user', text: 'Hello', results: [] }],
    builder,
    readings: createReplyReadings(builder),
    tools: specs,
    boundary: () => 'boundary1',
  })
  return nativeTools ?? specs.filter((tool) => !tool.disabled && !tool.unlisted)
}

/** Estimated tokens that these tools add to each prompt, in each format. */
export const tokensIn = (tools: readonly RegisteredTool[]): ReadonlyMap<StrategyId, number> =>
  new Map(
    strategyIds.map((strategy) => [
      strategy,
      promptCost(strategy, offeredIn(strategy, tools)) - promptCost(strategy, offeredIn(strategy, [])),
    ]),
  )

/** The cost of the same tools for a client that sends every schema with each request. */
export const schemaTokens = (tools: readonly RegisteredTool[]): number =>
  estimateTokens(
    JSON.stringify(
      tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    ),
  )
