'use client'

import { macroWarnings, macros } from '@/lib/shared/prompt/tool-macros'
import { t } from '@/lib/i18n/t'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Icon } from '@/components/ui/controls/icon'
import { unsent } from '@/lib/client/wiring/unsent.browser'
import type { SectionProps } from './strategy-section'
import { textArea } from '@/components/ui/recipes/field'
import { headEnd, settingsNote, section, sectionHead } from './settings-styles'

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
