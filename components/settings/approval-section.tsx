'use client'

import { useId, useState } from 'react'
import { RadioList } from '@/components/ui/forms/radio-list'
import { Select, type SelectOption } from '@/components/ui/forms/select'
import { Switch } from '@/components/ui/forms/switch'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { LARGE_RESULT_BYTES } from '@/lib/shared/calls/approval-policy'
import { CALLS_AT_ONCE } from '@/lib/shared/calls/click-reasons'
import { grantLifetimes, lifetimeText } from '@/lib/shared/calls/grant-text'
import { t } from '@/lib/i18n/t'
import type { SectionProps } from './prompt-section'
import { atEnd, settingsNote, section, sectionHead, settingRow } from './settings-styles'
import { field, hint as hintLook, rows } from '@/components/ui/recipes/field'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { err, ok, type Result } from '@/lib/base/result'

interface Choice<T extends string> {
  readonly value: T
  readonly label: string
}

const modes = ['manual', 'auto'] as const satisfies readonly ToolCallConfig['mode'][]
const gates = ['always', 'large-or-failed', 'never'] as const satisfies readonly ToolCallConfig['resultGate'][]
const places = ['inline', 'dialog'] as const satisfies readonly ToolCallConfig['approvalUi'][]
const fates = ['keep', 'ask'] as const satisfies readonly ToolCallConfig['codeChanges'][]

/** The offered durations, and the current one if it is another. */
const lifetimeChoices = (set: number | null): readonly Choice<string>[] =>
  [...new Set([...grantLifetimes, set])].map((ms) => ({
    value: String(ms),
    label: ms === null ? t('chat-settings.life.chat') : t('chat-settings.life.for', { time: lifetimeText(ms) }),
  }))

/** Who approves calls, when, and where. */
export function ApprovalSection({ settings, save }: SectionProps) {
  const heading = useId()
  const config = settings.tools
  const change = (patch: Partial<ToolCallConfig>) => void save((now) => ({ ...now, tools: { ...now.tools, ...patch } }))
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.approval')}
      </h3>
      <p className={settingsNote()}>{t('chat-settings.approval-about')}</p>
      <RadioList
        labelledBy={heading}
        value={config.mode}
        choices={modes.map((mode) => ({
          value: mode,
          label: t(`chat-settings.mode.${mode}`),
          hint: t(`chat-settings.mode.${mode}-hint`),
        }))}
        onChange={(mode) => change({ mode })}
      />
      <div className={rows({}, 'mt-3')}>
        <div className={settingRow()}>
          <div>
            {t('chat-settings.every-call')}
            <small className={hintLook()}>{t('chat-settings.every-call-hint')}</small>
          </div>
          <Switch
            label={t('chat-settings.every-call')}
            className={atEnd()}
            checked={config.requireConfirmation}
            onChange={(requireConfirmation) => change({ requireConfirmation })}
          />
        </div>
        <PickRow
          label={t('chat-settings.remembered')}
          hint={t('chat-settings.remembered-hint')}
          value={String(config.grantLifetimeMs)}
          choices={lifetimeChoices(config.grantLifetimeMs)}
          onChange={(value) => change({ grantLifetimeMs: value === 'null' ? null : Number(value) })}
        />
        <PickRow
          label={t('chat-settings.gate')}
          hint={t('chat-settings.gate-hint', { size: LARGE_RESULT_BYTES })}
          value={config.resultGate}
          choices={gates.map((value) => ({ value, label: t(`chat-settings.gate.${value}`) }))}
          onChange={(resultGate) => change({ resultGate })}
        />
        <PickRow
          label={t('chat-settings.code')}
          hint={t('chat-settings.code-hint')}
          value={config.codeChanges}
          choices={fates.map((value) => ({ value, label: t(`chat-settings.code.${value}`) }))}
          onChange={(codeChanges) => change({ codeChanges })}
        />
        <PickRow
          label={t('chat-settings.place')}
          hint={t('chat-settings.place-hint')}
          value={config.approvalUi}
          choices={places.map((value) => ({ value, label: t(`chat-settings.place.${value}`) }))}
          onChange={(approvalUi) => change({ approvalUi })}
        />
        <div className={settingRow()}>
          <div>
            {t('chat-settings.side')}
            <small className={hintLook()}>{t('chat-settings.side-hint', { most: CALLS_AT_ONCE })}</small>
          </div>
          <Switch
            label={t('chat-settings.side')}
            className={atEnd()}
            checked={config.parallelExecution}
            onChange={(parallelExecution) => change({ parallelExecution })}
          />
        </div>
      </div>
    </section>
  )
}

interface PickRowProps<T extends string> {
  readonly label: string
  readonly hint: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  readonly onChange: (value: T) => void
}

function PickRow<T extends string>({ label, hint, value, choices, onChange }: PickRowProps<T>) {
  const options: readonly SelectOption[] = choices
  return (
    <div className={settingRow({ control: 'words' })}>
      <div>
        {label}
        <small className={hintLook()}>{hint}</small>
      </div>
      <Select
        small
        label={label}
        value={value}
        options={options}
        onChange={(next) => {
          const picked = choices.find((choice) => choice.value === next)
          if (picked) onChange(picked.value)
        }}
      />
    </div>
  )
}

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

/** A whole number, stored on blur or Enter; an invalid one stays with an error. */
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
          <small className={hintLook({ tone: 'bad' })} id={`${id}-problem`} role="alert">
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

/** A whole number in a range, as typed; otherwise a sentence that says what is allowed. */
function readDecimal(text: string, min: number, max: number): Result<number, string> {
  const trimmed = text.trim()
  const value = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  if (value >= min && value <= max) return ok(value)
  return err(t('chat-settings.limit.wrong', { min: String(min), max: String(max) }))
}
