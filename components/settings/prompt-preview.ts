import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { describeCalls, withToolContext } from '@/lib/shared/prompt/tool-macros'
import type { PromptContext } from '@/lib/shared/conversation/settings/project'
import { joined, memoryText, skillListText, systemPromptOf } from '@/lib/shared/prompt/static-prompt'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { toolContextBuilder, promptTokens } from '@/lib/protocols/tool-context-builder'
import { type PromptPart, type ToolSpec, formOf } from '@/lib/protocols/types/tool-context-def'
import { envelopeReplies } from '@/lib/protocols/envelope-reply'
import { t } from '@/lib/i18n/t'
import { offeredTools as listedTools } from '@/lib/protocols/prompt/unlisted-tools'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'

export interface PromptPreviewPart {
  readonly title: string
  readonly text: string
  readonly tokens: number
  /** Names of the tools whose descriptions were shortened. */
  readonly shortened: readonly string[]
}

export interface PromptPreview {
  /** The exact system prompt, made by the server's functions. */
  readonly whole: string
  /** Tokens of the whole prompt and of the tool schemas sent beside it. */
  readonly tokens: number
  readonly parts: readonly PromptPreviewPart[]
}

/** The tools that the model is offered, sorted by name. */
export function offeredTools(settings: ConversationSettings, toolSet: ToolSet): readonly ToolSpec[] {
  if (!settings.tools.enabled) return []
  return listedTools(discoverTools(toolSet, settings.tools, settings.strategy))
}

/**
 * What the model receives before all messages, whole and part by part. `reading`: how its next reply will be parsed.
 */
export function previewPrompt(
  settings: ConversationSettings,
  toolSet: ToolSet,
  { reading, context }: { readonly reading?: 'whole' | undefined; readonly context?: PromptContext | undefined } = {},
): PromptPreview {
  const { systemPrompt } = settings
  if (reading === 'whole') toolContextBuilder.learnWhole(envelopeReplies)
  const strategy = formOf({ strategy: settings.strategy, ...(reading && { reading }) })
  const tools = offeredTools(settings, toolSet)
  const { enabled } = settings.tools
  const facts = { config: settings.tools, tools }
  const skills = skillListText(tools, context)
  const splice = (own: string) => toolContextBuilder.spliceSystemPrompt(own, { strategy, tools, enabled, skills })
  const prompt = systemPromptOf(settings, context)
  const memory = memoryText(settings, context)
  const whole = joined(withToolContext(prompt, splice, facts), memory)
  const hasFacts = withToolContext(prompt, (own) => own, facts) !== prompt
  const instructions = context?.project?.instructions.trim() ?? ''
  const own = systemPrompt.replace(/\{\{[ \t]*tool(?:s|_context)[ \t]*\}\}/g, '').trim()
  const toolParts = enabled && tools.length > 0 ? toolContextBuilder.promptParts(strategy, tools) : []
  const parts: readonly (Omit<PromptPreviewPart, 'tokens' | 'shortened'> & {
    readonly shortened?: readonly string[]
  })[] = [
    ...(instructions === '' ? [] : [{ title: t('chat-settings.part.project'), text: instructions }]),
    ...(own === '' ? [] : [{ title: t('chat-settings.part.own'), text: systemPrompt }]),
    ...toolParts.map(titled),
    ...(skills === '' || !enabled ? [] : [{ title: t('chat-settings.part.skills'), text: skills }]),
    ...(hasFacts ? [{ title: t('chat-settings.part.facts'), text: describeCalls(facts) }] : []),
    ...(memory === '' ? [] : [{ title: t('chat-settings.part.memory'), text: memory }]),
  ]
  return {
    whole,
    tokens: promptTokens(whole, strategy, tools),
    parts: parts.map(({ shortened = [], ...part }) => ({ ...part, shortened, tokens: estimateTokens(part.text) })),
  }
}

/** The same titles in every strategy: the purpose of a part, for people. */
const titled = ({ kind, text, shortened = [] }: PromptPart) => ({
  title: t(`chat-settings.part.${kind}`),
  text,
  shortened,
})
