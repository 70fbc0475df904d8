'use client'

import { useId, useMemo, useCallback, useEffect, useRef, useState } from 'react'
import { useTools } from '@/components/context/tools-context'
import { RadioList } from '@/components/ui/forms/radio-list'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { toolContextBuilder, promptCost } from '@/lib/protocols/tool-context-builder'
import { measuredBest } from '@/lib/client/lab/measured-best'
import { labStorage } from '@/lib/client/wiring/models/lab-storage.browser'
import { offeredTools } from './prompt-preview'
import type { SaveSettings } from './use-save-settings'
import { cx } from '@/components/ui/recipes/recipe'
import { macroWarnings, macros } from '@/lib/shared/prompt/tool-macros'
import { t } from '@/lib/i18n/t'
import { useConversation } from '@/components/context/chat-context'
import { Icon } from '@/components/ui/controls/icon'
import { unsent } from '@/lib/client/wiring/unsent.browser'
import { textArea } from '@/components/ui/recipes/field'
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

const SAVE_AFTER_MS = 800

/** The system prompt, stored while it is typed. Text that could not be stored stays in the field. */
export function PromptSection({ settings, save }: SectionProps) {
  const heading = useId()
  // Text typed before a reload and not stored: it is shown, and stored only with the next change.
  const kept = `prompt:${useConversation((view) => view.id)}`
  const [draft, setDraft] = useState<string | null>(() => unsent.get(kept))
  const [status, setStatus] = useState<'' | 'saving' | 'saved' | 'failed'>(draft === null ? '' : 'failed')
  const latest = useRef<string | null>(null)

  const flush = useCallback(async () => {
    const text = latest.current
    if (text === null) return
    setStatus('saving')
    const stored = await save((now) => ({ ...now, systemPrompt: text }))
    setStatus(stored ? 'saved' : 'failed')
    if (!stored || latest.current !== text) return
    latest.current = null
    unsent.set(kept, null)
    setDraft(null)
  }, [save, kept])

  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => void flush(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [draft, flush])
  // Closing the drawer while typing must not lose text.
  useEffect(() => () => void flush(), [flush])

  const text = draft ?? settings.systemPrompt
  const warnings = macroWarnings(text)
  return (
    <section className={section()} aria-labelledby={heading}>
      <div className={sectionHead()}>
        <h3 id={heading}>{t('chat-settings.prompt')}</h3>
        <span className={headEnd()} role="status">
          {status === '' ? '' : t(`chat-settings.${status}`)}
        </span>
      </div>
      <p className={settingsNote()}>{t('chat-settings.prompt-about')}</p>
      <textarea
        className={textArea({ holds: 'code' }, 'max-h-96 min-h-28')}
        aria-labelledby={heading}
        rows={5}
        maxLength={100_000}
        value={text}
        {...(warnings.length > 0 ? { 'aria-describedby': `${heading}-warnings` } : {})}
        onChange={(event) => {
          latest.current = event.target.value
          unsent.set(kept, event.target.value)
          setDraft(event.target.value)
          setStatus('')
        }}
        onBlur={() => void flush()}
      />
      <details className="mt-2 text-sm/[inherit] text-muted">
        <summary className="cursor-pointer py-1 pointer-coarse:py-3">{t('chat-settings.marks')}</summary>
        <dl className="mb-3 grid gap-2 text-sm">
          {macros.map(({ name, help }) => (
            <div key={name}>
              <dt>
                <code>{`{{${name}}}`}</code>
              </dt>
              <dd className="text-pretty">{help()}</dd>
            </div>
          ))}
        </dl>
      </details>
      <div id={`${heading}-warnings`} role="status">
        {warnings.map((warning) => (
          <small className="mt-2 flex gap-2 text-sm text-warn [&>svg]:mt-0.5" key={warning}>
            <Icon name="warn" />
            {warning}
          </small>
        ))}
      </div>
    </section>
  )
}
