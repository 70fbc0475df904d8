import { imagesToSend } from '@/lib/conversation/attached'
import { attachmentWords, type PictureDelivery } from '@/lib/chat/attachment-words'
import { hereOf, isHere, type ChatRow } from '@/lib/conversation/chat-row'
import type { ConversationSettings, Message } from '@/lib/conversation/conversation'
import { withToolContext } from '@/lib/chat/tool-macros'
import { promptTokens } from '@/lib/strategies/prompt-cost'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { discoverTools } from '@/lib/tools/discovery'
import type { ToolSet } from '@/lib/tools/tool-registry'

/** Between what vendors count for a picture of the size that is sent. */
const PICTURE_TOKENS = 1_000

/** What a row holds besides what the model is told, in bytes, and what a token has of them. */
const ROW_BYTES = 300
const TOKEN_BYTES = 4

const tokensOfSize = (size: number): number => Math.round(Math.max(0, size - ROW_BYTES) / TOKEN_BYTES)

const memo = new WeakMap<Message, number>()

/** An estimate of the next request: the system prompt with its tools, and the messages of the branch. */
export function countTokens(
  path: readonly ChatRow[],
  settings: ConversationSettings,
  toolSet: ToolSet,
  { seesImages = false }: { readonly seesImages?: boolean } = {},
): number {
  const { systemPrompt, strategy, tools } = settings
  const here = hereOf(path)
  const offered = discoverTools(toolSet, tools, strategy).filter((tool) => !tool.disabled)
  const system = withToolContext(
    systemPrompt,
    (own) => toolContextBuilder.spliceSystemPrompt(own, { strategy, tools: offered, enabled: tools.enabled }),
    { config: tools, tools: offered, path: here },
  )
  const fixed = promptTokens(system, strategy, tools.enabled ? offered : [])
  const pictures = seesImages ? imagesToSend(here).length * PICTURE_TOKENS : 0
  return path.reduce((sum, row) => sum + (isHere(row) ? tokensOf(row) : tokensOfSize(row.size)), fixed + pictures)
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
