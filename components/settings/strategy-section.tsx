'use client'

import { numberWords, plural } from '@/lib/base/locale'
import { useId, useMemo } from 'react'
import { useTools } from '@/components/context/tools-context'
import { RadioList } from '@/components/ui/radio-list'
import type { ConversationSettings } from '@/lib/conversation/conversation'
import { promptCost } from '@/lib/strategies/prompt-cost'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { offeredTools } from './prompt-preview'
import type { SaveSettings } from './use-save-settings'
import { cx } from '@/components/ui/recipes/recipe'
import { headEnd, settingsNote, section, sectionHead } from './settings-look'

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
  return (
    <section className={section()} aria-labelledby={heading}>
      <div className={sectionHead()}>
        <h3 id={heading}>Strategy</h3>
        <span className={headEnd()}>what it adds to the prompt</span>
      </div>
      <p className={settingsNote()}>
        The form in which the model writes its calls. Changing it keeps the conversation; earlier calls are retold in
        the new form.
      </p>
      <RadioList
        labelledBy={heading}
        value={settings.strategy}
        choices={toolContextBuilder.strategies.map(({ id, summary }) => ({
          value: id,
          label: id,
          hint: summary,
          aside: <Cost tokens={costs.get(id) ?? 0} tools={tools.length} />,
        }))}
        onChange={(strategy) => void save((now) => ({ ...now, strategy }))}
      />
    </section>
  )
}

const cost = cx('text-end text-sm/[inherit] whitespace-nowrap text-muted tabular-nums')

/** "about 620 tokens with 5 tools": an estimate, for the tools that this conversation offers. */
function Cost({ tokens, tools }: { readonly tokens: number; readonly tools: number }) {
  if (tools === 0)
    return (
      <span className={cost} data-cost="">
        nothing without tools
      </span>
    )
  return (
    <span className={cost} data-cost="">
      about {numberWords(tokens)} tokens{' '}
      <span className="block">
        with {tools} {plural(tools, { one: 'tool', other: 'tools' })}
      </span>
    </span>
  )
}
