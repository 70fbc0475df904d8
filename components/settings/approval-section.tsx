'use client'

import { useId } from 'react'
import { RadioList } from '@/components/ui/radio-list'
import { Select, type SelectOption } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { LARGE_RESULT_BYTES } from '@/lib/shared/calls/approval-policy'
import { CALLS_AT_ONCE } from '@/lib/shared/calls/chain-limits'
import { grantLifetimes, lifetimeText } from '@/lib/shared/calls/grant-words'
import { t } from '@/lib/i18n/t'
import type { SectionProps } from './strategy-section'
import { atEnd, settingsNote, section, sectionHead, settingRow } from './settings-styles'
import { hint as hintLook, rows } from '@/components/ui/recipes/choice'

interface Choice<T extends string> {
  readonly value: T
  readonly label: string
}

const modes = ['manual', 'auto'] as const satisfies readonly ToolCallConfig['mode'][]
const gates = ['always', 'large-or-failed', 'never'] as const satisfies readonly ToolCallConfig['resultGate'][]
const places = ['inline', 'dialog'] as const satisfies readonly ToolCallConfig['approvalUi'][]
const fates = ['keep', 'ask'] as const satisfies readonly ToolCallConfig['codeChanges'][]

/** Those that are offered, and one of another length that is set. */
const lifetimeChoices = (set: number | null): readonly Choice<string>[] =>
  [...new Set([...grantLifetimes, set])].map((ms) => ({
    value: String(ms),
    label: ms === null ? t('chat-settings.life.chat') : t('chat-settings.life.for', { time: lifetimeText(ms) }),
  }))

/** Who is asked, when, and where. */
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
