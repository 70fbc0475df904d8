import type { ConversationSettings, Message } from '@/lib/conversation/conversation'
import { describeTurn, withToolContext } from '@/lib/chat/tool-macros'
import { promptTokens } from '@/lib/strategies/prompt-cost'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { PromptPart, ToolSpec } from '@/lib/strategies/tool-context-def'
import { discoverTools } from '@/lib/tools/discovery'
import type { ToolSet } from '@/lib/tools/tool-registry'

export interface PromptPreviewPart {
  readonly title: string
  readonly text: string
  readonly tokens: number
}

export interface PromptPreview {
  /** The exact system prompt, made by the functions that the server uses. */
  readonly whole: string
  /** Of the whole, and of the tool schemas that are sent beside it. */
  readonly tokens: number
  readonly parts: readonly PromptPreviewPart[]
}

/** The tools that the model is told of, sorted by name. */
export function offeredTools(settings: ConversationSettings, toolSet: ToolSet): readonly ToolSpec[] {
  if (!settings.tools.enabled) return []
  return discoverTools(toolSet, settings.tools, settings.strategy).filter((tool) => tool.disabled !== true)
}

/** What the model is told before the messages of a branch (none: before the first), whole and part by part. */
export function previewPrompt(
  settings: ConversationSettings,
  toolSet: ToolSet,
  path: readonly Message[] = [],
): PromptPreview {
  const { strategy, systemPrompt } = settings
  const tools = offeredTools(settings, toolSet)
  const { enabled } = settings.tools
  const turn = { config: settings.tools, tools, path }
  const splice = (own: string) => toolContextBuilder.spliceSystemPrompt(own, { strategy, tools, enabled })
  const whole = withToolContext(systemPrompt, splice, turn)
  const hasTurn = withToolContext(systemPrompt, (own) => own, turn) !== systemPrompt
  const own = systemPrompt.replace(/\{\{[ \t]*tool(?:s|_context)[ \t]*\}\}/g, '').trim()
  const told = enabled && tools.length > 0 ? toolContextBuilder.promptParts(strategy, tools) : []
  const parts = [
    ...(own === '' ? [] : [{ title: 'Your system prompt', text: systemPrompt }]),
    ...told.map(titled),
    ...(hasTurn ? [{ title: 'What holds in this turn', text: describeTurn(turn) }] : []),
  ]
  return {
    whole,
    tokens: promptTokens(whole, strategy, tools),
    parts: parts.map(({ title, text }) => ({ title, text, tokens: estimateTokens(text) })),
  }
}

/** The same titles in every strategy: what a part is for, in words for people. */
const titles: Readonly<Record<PromptPart['kind'], string>> = {
  protocol: 'How to write a call',
  tools: 'The tools',
  behaviour: 'What the user approves, and what denial means',
}

const titled = ({ kind, text }: PromptPart) => ({ title: titles[kind], text })
