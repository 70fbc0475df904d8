'use client'

import { useId, useMemo } from 'react'
import { useTools } from '@/components/context/tools-context'
import { RadioList } from '@/components/ui/forms/radio-list'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { toolContextBuilder, promptCost } from '@/lib/protocols/tool-context-builder'
import { measuredBest } from '@/lib/client/lab/measured-best'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'
import { t } from '@/lib/i18n/t'
import { offeredTools } from './prompt-preview'
import type { SaveSettings } from './use-save-settings'
import { cx } from '@/components/ui/recipes/recipe'
import { headEnd, settingsNote, section, sectionHead } from './settings-styles'

export interface SectionProps {
  readonly settings: ConversationSettings
  readonly save: SaveSettings['save']
}

export function StrategySection({ settings, save }: SectionProps) {
  const heading = useId()
  const all = useTools()
  const tools = useMemo(() => offeredTools(settings, all), [settings, all])
  const costs = useMemo(
    () => new Map(toolContextBuilder.strategies.map(({ id }) => [id, promptCost(id, tools)] as const)),
    [tools],
  )
  const best = measuredBest(labStorage(), settings.model)
  return (
    <section className={section()} aria-labelledby={heading}>
      <div className={sectionHead()}>
        <h3 id={heading}>{t('chat-settings.strategy')}</h3>
        <span className={headEnd()}>{t('chat-settings.strategy-adds')}</span>
      </div>
      <p className={settingsNote()}>{t('chat-settings.strategy-about')}</p>
      <RadioList
        labelledBy={heading}
        value={settings.strategy}
        choices={toolContextBuilder.strategies.map(({ id, summary }) => ({
          value: id,
          label: id,
          hint: id === best?.strategy ? `${summary} ${t('chat-settings.best', { by: best.by })}` : summary,
          aside: <Cost tokens={costs.get(id) ?? 0} tools={tools.length} />,
        }))}
        onChange={(strategy) => void save((now) => ({ ...now, strategy }))}
      />
    </section>
  )
}

const cost = cx('text-end text-sm/[inherit] whitespace-nowrap text-muted tabular-nums')

/** "about 620 tokens with 5 tools": an estimate for the tools that this conversation offers. */
function Cost({ tokens, tools }: { readonly tokens: number; readonly tools: number }) {
  if (tools === 0)
    return (
      <span className={cost} data-cost="">
        {t('chat-settings.cost-none')}
      </span>
    )
  return (
    <span className={cost} data-cost="">
      {t('chat-settings.cost', { tokens })}{' '}
      <span className="block">{t('chat-settings.cost-tools', { count: tools })}</span>
    </span>
  )
}
