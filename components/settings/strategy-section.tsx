'use client'

import { useId, useMemo } from 'react'
import { useTools } from '@/components/context/tools-context'
import type { ConversationSettings } from '@/lib/conversation/conversation'
import { promptCost } from '@/lib/strategies/prompt-cost'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { offeredTools } from './told'
import type { SaveSettings } from './use-save-settings'
import { cx } from '@/components/ui/recipes/recipe'
import { headEnd, say, section, sectionHead } from './settings-look'
import { hint, option, optionMark, rows } from '@/components/ui/recipes/choice'

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
      <p className={say()}>
        The form in which the model writes its calls. Changing it keeps the conversation; earlier calls are retold in
        the new form.
      </p>
      <div className={rows()} role="radiogroup" aria-labelledby={heading}>
        {toolContextBuilder.strategies.map((strategy) => (
          <label className={option()} key={strategy.id}>
            <input
              className={optionMark()}
              type="radio"
              name={heading}
              checked={settings.strategy === strategy.id}
              onChange={() => void save((now) => ({ ...now, strategy: strategy.id }))}
            />
            <span>
              {strategy.id}
              <small className={hint()}>{strategy.summary}</small>
            </span>
            <Cost tokens={costs.get(strategy.id) ?? 0} tools={tools.length} />
          </label>
        ))}
      </div>
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
      about {tokens.toLocaleString('en')} tokens{' '}
      <span className="block">
        with {tools} {tools === 1 ? 'tool' : 'tools'}
      </span>
    </span>
  )
}
