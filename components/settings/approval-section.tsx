'use client'

import { useId } from 'react'
import { RadioList } from '@/components/ui/radio-list'
import { Select, type SelectOption } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { ToolCallConfig } from '@/lib/conversation/conversation'
import { formatBytes } from '@/lib/base/format-bytes'
import { LARGE_RESULT_BYTES } from '@/lib/calls/approval-policy'
import { CALLS_AT_ONCE } from '@/lib/calls/chain-limits'
import { grantLifetimes, lifetimeWords } from '@/lib/calls/grant-words'
import type { SectionProps } from './strategy-section'
import { atEnd, settingsNote, section, sectionHead, settingRow } from './settings-look'
import { hint as hintLook, rows } from '@/components/ui/recipes/choice'

interface Choice<T extends string> {
  readonly value: T
  readonly label: string
  readonly hint?: string
}

const modes: readonly Choice<ToolCallConfig['mode']>[] = [
  { value: 'manual', label: 'Ask before every call', hint: 'The default. You press Run for each one, or Run all.' },
  {
    value: 'auto',
    label: 'Let harmless tools run alone',
    hint: 'Only those that you pick below. Sensitive tools always ask.',
  },
]

const gates: readonly Choice<ToolCallConfig['resultGate']>[] = [
  { value: 'always', label: 'every result' },
  { value: 'large-or-failed', label: 'large or failed ones' },
  { value: 'never', label: 'none' },
]

const places: readonly Choice<ToolCallConfig['approvalUi']>[] = [
  { value: 'inline', label: 'in the card' },
  { value: 'dialog', label: 'in a dialog' },
]

const fates: readonly Choice<ToolCallConfig['codeChanges']>[] = [
  { value: 'keep', label: 'keep at once' },
  { value: 'ask', label: 'ask after the run' },
]

/** Those that are offered, and one of another length that is set. */
const lifetimeChoices = (set: number | null): readonly Choice<string>[] =>
  [...new Set([...grantLifetimes, set])].map((ms) => ({
    value: String(ms),
    label: ms === null ? 'as long as this chat' : `for ${lifetimeWords(ms)}`,
  }))

/** Who is asked, when, and where. */
export function ApprovalSection({ settings, save }: SectionProps) {
  const heading = useId()
  const config = settings.tools
  const change = (patch: Partial<ToolCallConfig>) => void save((now) => ({ ...now, tools: { ...now.tools, ...patch } }))
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        Approval
      </h3>
      <p className={settingsNote()}>Nothing runs on the server. Calls that you allow run in this tab.</p>
      <RadioList labelledBy={heading} value={config.mode} choices={modes} onChange={(mode) => change({ mode })} />
      <div className={rows({}, 'mt-3')}>
        <div className={settingRow()}>
          <div>
            Every call waits for my click
            <small className={hintLook()}>
              Whatever else is set: the choice above, rules of tools, and what I said yes to before.
            </small>
          </div>
          <Switch
            label="Every call waits for my click"
            className={atEnd()}
            checked={config.requireConfirmation}
            onChange={(requireConfirmation) => change({ requireConfirmation })}
          />
        </div>
        <PickRow
          label="A remembered yes stands"
          hint="Counted from the click that gave it. It can be taken back at any time, below."
          value={String(config.grantLifetimeMs)}
          choices={lifetimeChoices(config.grantLifetimeMs)}
          onChange={(value) => change({ grantLifetimeMs: value === 'null' ? null : Number(value) })}
        />
        <PickRow
          label="Show me results before they are sent"
          hint={`Large: over ${formatBytes(LARGE_RESULT_BYTES)}. A tool below may say otherwise for its own results.`}
          value={config.resultGate}
          choices={gates}
          onChange={(resultGate) => change({ resultGate })}
        />
        <PickRow
          label="Files that code changed"
          hint="Code works on a layer over the files. Its changes reach them after the run, all of them or none."
          value={config.codeChanges}
          choices={fates}
          onChange={(codeChanges) => change({ codeChanges })}
        />
        <PickRow
          label="Where I am asked"
          hint="The card stays in the chat either way."
          value={config.approvalUi}
          choices={places}
          onChange={(approvalUi) => change({ approvalUi })}
        />
        <div className={settingRow()}>
          <div>
            Run calls side by side
            <small className={hintLook()}>
              Those that are started together, up to {CALLS_AT_ONCE} at once. Off: one after the other, in their order.
            </small>
          </div>
          <Switch
            label="Run calls side by side"
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
    <div className={settingRow()}>
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
