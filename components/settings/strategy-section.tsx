'use client'

import { useId, useMemo } from 'react'
import type { ConversationSettings } from '@/lib/chat/conversation'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { costOf, offeredTools } from './told'
import type { SaveSettings } from './use-save-settings'

export interface SectionProps {
  readonly settings: ConversationSettings
  readonly save: SaveSettings['save']
}

export function StrategySection({ settings, save }: SectionProps) {
  const heading = useId()
  const tools = useMemo(() => offeredTools(settings), [settings])
  return (
    <section className="group" aria-labelledby={heading}>
      <div className="gh">
        <h3 id={heading}>Strategy</h3>
        <span className="end">
          cost in the prompt, {tools.length} {tools.length === 1 ? 'tool' : 'tools'}
        </span>
      </div>
      <p>
        The form in which the model writes its calls. Changing it keeps the conversation; earlier calls are retold in
        the new form.
      </p>
      <div className="opts-list" role="radiogroup" aria-labelledby={heading}>
        {toolContextBuilder.strategies.map((strategy) => (
          <label className="opt" key={strategy.id}>
            <input
              type="radio"
              name={heading}
              checked={settings.strategy === strategy.id}
              onChange={() => void save((now) => ({ ...now, strategy: strategy.id }))}
            />
            <span>
              {strategy.id}
              <small>{strategy.summary}</small>
            </span>
            <span className="cost">{costOf(strategy.id, tools).toLocaleString('en')} tokens</span>
          </label>
        ))}
      </div>
    </section>
  )
}
