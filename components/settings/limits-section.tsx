'use client'

import { SentenceText } from '@/components/ui/foreign-text'
import { useId, useState } from 'react'
import { t } from '@/lib/i18n/t'
import type { SectionProps } from './strategy-section'
import { field } from '@/components/ui/recipes/field'
import { settingsNote, section, sectionHead, settingRow } from './settings-styles'
import { hint, rows } from '@/components/ui/recipes/choice'
import { err, ok, type Result } from '@/lib/base/result'

export function LimitsSection({ settings, save }: SectionProps) {
  const heading = useId()
  const { timeoutMs, maxIterations, maxCallsPerReply } = settings.tools
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.limits')}
      </h3>
      <p className={settingsNote()}>{t('chat-settings.limits-about')}</p>
      <div className={rows()}>
        <NumberRow
          label={t('chat-settings.limit.time')}
          unit={t('chat-settings.limit.seconds')}
          value={Math.round(timeoutMs / 1000)}
          min={1}
          max={600}
          onSave={(seconds) => save((now) => ({ ...now, tools: { ...now.tools, timeoutMs: seconds * 1000 } }))}
        />
        <NumberRow
          label={t('chat-settings.limit.rounds-name')}
          unit={t('chat-settings.limit.rounds')}
          value={maxIterations}
          min={1}
          max={100}
          onSave={(rounds) => save((now) => ({ ...now, tools: { ...now.tools, maxIterations: rounds } }))}
        />
        <NumberRow
          label={t('chat-settings.limit.calls-name')}
          unit={t('chat-settings.limit.calls')}
          value={maxCallsPerReply}
          min={1}
          max={1000}
          onSave={(calls) => save((now) => ({ ...now, tools: { ...now.tools, maxCallsPerReply: calls } }))}
        />
      </div>
    </section>
  )
}

interface NumberRowProps {
  readonly label: string
  readonly unit: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onSave: (value: number) => Promise<boolean>
}

/** A whole number, stored when the field is left or Enter is pressed; a wrong one stays and says what is wrong. */
function NumberRow({ label, unit, value, min, max, onSave }: NumberRowProps) {
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const read = draft === null ? null : readDecimal(draft, min, max)
  const problem = read && !read.ok ? read.error : null
  const commit = () => {
    if (!read?.ok) return
    if (read.value === value) setDraft(null)
    else void onSave(read.value).then((stored) => stored && setDraft(null))
  }
  return (
    <div className={settingRow()}>
      <label htmlFor={id}>
        {label}
        {problem ? (
          <small className={hint({ tone: 'bad' })} id={`${id}-problem`} role="alert">
            <SentenceText text={problem} />
          </small>
        ) : null}
      </label>
      <span className="inline-flex items-center gap-2 text-sm/[inherit]">
        <span className="w-18">
          <input
            id={id}
            className={field({}, 'text-end tabular-nums narrow:text-lg/[inherit]')}
            inputMode="numeric"
            value={draft ?? String(value)}
            aria-invalid={problem !== null}
            {...(problem ? { 'aria-describedby': `${id}-problem` } : {})}
            onChange={(event) => setDraft(event.target.value)}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === 'Enter') commit()
            }}
          />
        </span>
        <span className="w-15 text-muted">{unit}</span>
      </span>
    </div>
  )
}

/** A whole number in a range, as people type it; otherwise a sentence that says what is wanted. */
function readDecimal(text: string, min: number, max: number): Result<number, string> {
  const trimmed = text.trim()
  const value = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  if (value >= min && value <= max) return ok(value)
  return err(t('chat-settings.limit.wrong', { min: String(min), max: String(max) }))
}
