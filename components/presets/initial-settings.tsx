'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useChat } from '@/components/context/chat-context'
import { useBuiltInTools } from '@/components/context/tools-context'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { useLanguage } from '@/components/ui/page/use-language'
import { type ChatSetup, modelOfSetup } from '@/lib/shared/conversation/settings/preset'
import { t } from '@/lib/i18n/t'
import { modelLabel } from '@/lib/i18n/model-label'
import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { namesWithoutClick, rightsBeyond, type Right } from '@/lib/shared/conversation/wire/setup-rights'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'
import { isSwitchedOn } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'

/** What a chat with this setup gets here and now, in short facts; missing parts are named. */
export function setupFacts(setup: ChatSetup, listed: ModelsResponse | null, tools: ToolSet): readonly string[] {
  const { strategy, systemPrompt, tools: config } = setup
  const offered = tools.list().filter((tool) => tool.policy.agentCallable && isSwitchedOn(tool, config)).length
  return [
    modelFact(setup, listed),
    strategy,
    ...(config.enabled ? [t('presets.fact.tools', { count: offered })] : [t('presets.fact.no-tools')]),
    ...missingTools(setup, tools),
    ...(config.enabled ? [approvalFact(setup, tools)] : []),
    systemPrompt === '' ? t('presets.fact.no-prompt') : t('presets.fact.prompt', { chars: systemPrompt.length }),
  ]
}

function modelFact({ model }: ChatSetup, listed: ModelsResponse | null): string {
  if (model === null) return t('presets.fact.any-model')
  const used = modelOfSetup(model, listed)
  const called = (id: string) => {
    const known = listed?.models.find((one) => one.id === id)
    return known ? modelLabel(known) : nameOfModel(id)
  }
  if (used === model) return t('presets.fact.model', { model: asUntrusted(called(model)) })
  return t('presets.fact.model-gone', { model: asUntrusted(nameOfModel(model)), instead: asUntrusted(called(used)) })
}

/** A chat's own tools don't exist in other chats. */
function missingTools({ tools: { toolToggles, toolRules } }: ChatSetup, tools: ToolSet): readonly string[] {
  const on = Object.keys(toolToggles).filter((name) => toolToggles[name])
  const gone = [...new Set([...on, ...Object.keys(toolRules)])].filter((name) => !tools.get(name))
  return gone.length === 0 ? [] : [t('presets.fact.tools-gone', { tools: gone, count: gone.length })]
}

function approvalFact({ tools: config }: ChatSetup, tools: ToolSet): string {
  const alone = namesWithoutClick(config).filter((name) => tools.get(name)?.policy.permission !== 'sensitive')
  const asksAll = config.mode === 'manual' || config.requireConfirmation || alone.length === 0
  return asksAll ? t('presets.fact.asks-all') : t('presets.fact.alone', { tools: alone })
}

/** Permissions of a setup beyond those of new chats here, one sentence each. */
export const rightSentences = (setup: ChatSetup, own: Pick<ChatSetup, 'tools'>): readonly string[] =>
  rightsBeyond(setup, own).map(rightSentence)

function rightSentence(right: Right): string {
  if (right.is === 'alone') return t('presets.right.alone', { tools: right.tools })
  if ('count' in right) return t(`presets.right.${right.is}`, { count: right.count, here: right.here })
  return t(`presets.right.${right.is}`)
}

/** What a chat with a preset gets. The tools it needs load only once a preset is chosen. */
export default function InitialSettings({ name, setup }: { name: string; setup: ChatSetup }) {
  useLanguage()
  const models = useChat((state) => state.models)
  const tools = useBuiltInTools()
  return (
    <SentenceText text={t('presets.begun', { name: asUntrusted(name), facts: setupFacts(setup, models, tools) })} />
  )
}
