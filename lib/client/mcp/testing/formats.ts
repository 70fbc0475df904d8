import { createReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { buildModelInput } from '@/lib/shared/prompt/model-messages'
import { defaultToolConfig, type RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { AssistantMessage, UserMessage } from '@/lib/shared/conversation/conversation'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import { discoverTools } from '@/lib/shared/tools/discovery'
import { toolRegistry } from '@/lib/shared/tools/testing/built-in'
import { toolContextBuilder as builder } from '@/lib/protocols/tool-context-builder'
import type { CallToWrite, StrategyId } from '@/lib/protocols/types/tool-context-def'

const config = { ...defaultToolConfig, enabled: true }
const base = { conversationId: 'c', parentId: null, createdAt: 0 }
const user = (id: string, text: string, results: readonly ToolResult[] = []): UserMessage => ({
  ...base,
  id,
  role: 'user',
  text,
  results,
})

/** One round of a chat in one call format: a model writes a call as text, and reads its result. */
export function roundIn(strategy: StrategyId, tools: readonly RegisteredTool[]) {
  const specs = discoverTools(toolRegistry.of(tools), config)
  const written = (call: CallToWrite) => `I look.\n${builder.get(strategy).formatCalls([call])}`

  return {
    /** Parses the call in the model's reply. Throws unless it is one call without a problem. */
    read(call: CallToWrite): CallToWrite {
      const { segments } = builder.parseResponse(strategy, written(call), specs)
      const calls = segments.filter((one) => one.kind === 'call')
      const [only] = calls
      if (!only || calls.length > 1 || only.standing !== 'live' || only.problem !== null) {
        throw new Error(`${strategy} reads ${JSON.stringify(segments)}`)
      }
      return { name: only.name, arguments: only.arguments }
    },
    /** The last message to the model after the call. */
    told(call: CallToWrite, outcome: Pick<ToolResult, 'status' | 'result'>): string {
      const reply: AssistantMessage = {
        ...base,
        id: 'a1',
        role: 'assistant',
        text: written(call),
        reasoning: '',
        strategy,
        toolsEnabled: true,
        model: 'demo/demo',
        outcome: 'finished',
        failure: null,
        usage: null,
        runId: 'r',
      }
      const result = { messageId: 'a1', slot: 0, callId: 'call_1', name: call.name, durationMs: 1, ...outcome }
      const { messages } = buildModelInput({
        conversation: {
          settings: { version: 4, model: 'demo/demo', strategy, systemPrompt: 'Be brief.', tools: config },
        },
        path: [user('u1', 'Go on.'), reply, user('u2', '', [result])],
        builder,
        readings: createReplyReadings(builder),
        tools: specs,
        boundary: () => 'boundary1',
      })
      return JSON.stringify(messages.at(-1)?.content)
    },
  }
}
