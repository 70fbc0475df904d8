import { imagesToSend } from '@/lib/conversation/attached'
import { attachmentWords, type PictureDelivery } from '@/lib/chat/attachment-words'
import type { ConversationSettings, Message } from '@/lib/conversation/conversation'
import { withToolContext } from '@/lib/chat/tool-macros'
import { promptTokens } from '@/lib/strategies/prompt-cost'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { discoverTools } from '@/lib/tools/discovery'
import type { ToolSet } from '@/lib/tools/tool-registry'

/** Between what vendors count for a picture of the size that is sent. */
const PICTURE_TOKENS = 1_000

const memo = new WeakMap<Message, number>()

/** An estimate of the next request: the system prompt with its tools, and the messages of the branch. */
export function countTokens(
  path: readonly Message[],
  settings: ConversationSettings,
  toolSet: ToolSet,
  { seesImages = false }: { readonly seesImages?: boolean } = {},
): number {
  const { systemPrompt, strategy, tools } = settings
  const offered = discoverTools(toolSet, tools, strategy).filter((tool) => !tool.disabled)
  const system = withToolContext(
    systemPrompt,
    (own) => toolContextBuilder.spliceSystemPrompt(own, { strategy, tools: offered, enabled: tools.enabled }),
    { config: tools, tools: offered, path },
  )
  const fixed = promptTokens(system, strategy, tools.enabled ? offered : [])
  const pictures = seesImages ? imagesToSend(path).length * PICTURE_TOKENS : 0
  return path.reduce((sum, message) => sum + tokensOf(message), fixed + pictures)
}

function tokensOf(message: Message): number {
  const known = memo.get(message)
  if (known !== undefined) return known
  const results =
    message.role === 'user'
      ? [...message.results, ...(message.late ?? [])].map((one) => JSON.stringify(one.result)).join('\n')
      : ''
  const { attachments = [] } = message.role === 'user' ? message : {}
  const told = { boundary: '', canRead: true, standing: (): PictureDelivery => 'shown' }
  const files = attachments.length > 0 ? attachmentWords(attachments, told) : ''
  const tokens = estimateTokens(message.text) + estimateTokens(results) + estimateTokens(files)
  memo.set(message, tokens)
  return tokens
}
