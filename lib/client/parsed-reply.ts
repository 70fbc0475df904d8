import type { AssistantMessage, ToolCallConfig } from '@/lib/conversation/conversation'
import type { ParsedReply } from '@/lib/strategies/segment'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { ToolSpec } from '@/lib/strategies/tool-context-def'
import { discoverTools } from '@/lib/tools/discovery'
import type { ToolSet } from '@/lib/tools/tool-registry'

const memo = new WeakMap<AssistantMessage, { readonly tools: readonly ToolSpec[]; readonly reply: ParsedReply }>()

/**
 * How the whole text of a stored reply reads in the strategy that it was made with. Read once per row: rows keep their
 * identity while they do not change, and so do the tools until one comes, goes or is offered otherwise. A message that was made without tools is text only, whatever it holds.
 */
export function parsedReply(message: AssistantMessage, config: ToolCallConfig, toolSet: ToolSet): ParsedReply {
  const tools = discoverTools(toolSet, config, message.strategy)
  const known = memo.get(message)
  if (known && known.tools === tools) return known.reply
  const reply = read(message, tools)
  memo.set(message, { tools, reply })
  return reply
}

function read(message: AssistantMessage, tools: readonly ToolSpec[]): ParsedReply {
  if (!message.toolsEnabled) {
    const { length } = message.text
    return { type: 'text', segments: length === 0 ? [] : [{ kind: 'text', start: 0, end: length }] }
  }
  return toolContextBuilder.parseResponse(message.strategy, message.text, tools)
}
