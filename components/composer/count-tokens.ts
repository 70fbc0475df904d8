import type { ConversationSettings, Message } from '@/lib/chat/conversation'
import { withToolContext } from '@/lib/chat/tool-macros'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { discoverTools } from '@/lib/tools/discovery'
import { toolRegistry } from '@/lib/tools/registry'

const memo = new WeakMap<Message, number>()

/** An estimate of the next request: the system prompt with its tools, and the messages of the branch. */
export function countTokens(path: readonly Message[], settings: ConversationSettings): number {
  const { systemPrompt, strategy, tools } = settings
  const offered = discoverTools(toolRegistry, tools, strategy).filter((tool) => !tool.disabled)
  const system = withToolContext(
    systemPrompt,
    (own) => toolContextBuilder.spliceSystemPrompt(own, { strategy, tools: offered, enabled: tools.enabled }),
    { config: tools, tools: offered, path },
  )
  // Schemas that are sent beside the prompt are read by the model too.
  const apart = tools.enabled ? toolContextBuilder.promptParts(strategy, offered).filter((part) => part.apart) : []
  const fixed = apart.reduce((sum, part) => sum + estimateTokens(part.text), estimateTokens(system))
  return path.reduce((sum, message) => sum + tokensOf(message), fixed)
}

function tokensOf(message: Message): number {
  const known = memo.get(message)
  if (known !== undefined) return known
  const results = message.role === 'user' ? message.results.map((one) => JSON.stringify(one.result)).join('\n') : ''
  const tokens = estimateTokens(message.text) + estimateTokens(results)
  memo.set(message, tokens)
  return tokens
}
