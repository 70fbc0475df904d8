import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import type { ToolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { type ToolContextDef, type ToolSpec, formOf, type ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { withToolContext } from './tool-macros'
import { useToolSpec, offeredTools } from '@/lib/protocols/prompt/unlisted-tools'

/** The part of a prompt that depends on the settings and the tools alone. It comes before all messages. */
export interface StandingPart {
  /** The system prompt with the tools. */
  readonly instructions: string
  /** Under Native: the schemas that go to the model beside the prompt. */
  readonly nativeTools?: readonly ToolSpec[]
}

type Builder = Pick<ToolContextBuilder, 'promptParts' | 'spliceSystemPrompt'> & {
  get(form: ReplyForm): Pick<ToolContextDef, 'callsBy'>
}

interface StandingOptions {
  readonly settings: ConversationSettings
  readonly builder: Builder
  readonly tools: readonly ToolSpec[]
  readonly reading?: 'whole'
}

export function standingPart({ settings, builder, tools, reading }: StandingOptions): StandingPart {
  const { strategy, systemPrompt, tools: config } = settings
  const form = formOf({ strategy, ...(reading && { reading }) })
  const offered = offeredTools(tools)
  const instructions = withToolContext(
    systemPrompt,
    (own) => builder.spliceSystemPrompt(own, { strategy: form, tools: offered, enabled: config.enabled }),
    { config, tools: offered },
  )
  // Servers refuse native calls in a history without tools to call.
  const isNative = builder.get(strategy).callsBy === 'provider' && config.enabled && offered.length > 0
  if (!isNative) return { instructions }
  const hasUnlisted = tools.some((tool) => tool.unlisted === true && tool.disabled !== true)
  return { instructions, nativeTools: hasUnlisted ? withUseTool(offered) : offered }
}

const nativeLists = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>()

/** The same array for the same tools, so that what is made of it can be kept. */
function withUseTool(offered: readonly ToolSpec[]): readonly ToolSpec[] {
  const known = nativeLists.get(offered) ?? [...offered, useToolSpec]
  nativeLists.set(offered, known)
  return known
}

/** About how many tokens the standing part takes, schemas included. */
export function standingTokens(
  { instructions, nativeTools = [] }: StandingPart,
  { settings, builder }: Pick<StandingOptions, 'settings' | 'builder'>,
): number {
  const schemas = nativeTools.length === 0 ? [] : builder.promptParts(settings.strategy, nativeTools)
  const apart = schemas.filter((part) => part.apart === true).map(({ text }) => text)
  return [instructions, ...apart].reduce((sum, text) => sum + tokensOfText(text), 0)
}

/** Most chats of a server have one of a few system prompts. */
const MAX_KNOWN = 32
const known = new Map<string, number>()

function tokensOfText(text: string): number {
  const found = known.get(text)
  if (found !== undefined) return found
  const tokens = estimateTokens(text)
  const [oldest] = known.keys()
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  known.set(text, tokens)
  return tokens
}
