'use client'

import { Switch } from '@/components/ui/forms/switch'
import { hint, rows } from '@/components/ui/recipes/field'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { memoryTool } from '@/lib/shared/conversation/settings/project'

/** The same settings with memory on or off. */
export const withMemoryUsed = <S extends Pick<ChatSetup, 'tools'>>(settings: S, used: boolean): S => ({
  ...settings,
  tools: { ...settings.tools, toolToggles: { ...settings.tools.toolToggles, [memoryTool]: used } },
})

interface MemorySwitchProps {
  readonly label: string
  readonly about: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (used: boolean) => void
}

export function MemorySwitch({ label, about, checked, disabled = false, onChange }: MemorySwitchProps) {
  return (
    <div className={rows()}>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3.5 py-2">
        <div>
          <SentenceText text={label} />
          <small className={hint()}>{about}</small>
        </div>
        <Switch
          className="col-start-2 self-center"
          label={label}
          checked={checked}
          disabled={disabled}
          onChange={onChange}
        />
      </div>
    </div>
  )
}
