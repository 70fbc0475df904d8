import { useId, type ReactNode } from 'react'
import { SaidText } from '@/components/ui/foreign-text'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { Switch } from '@/components/ui/switch'
import { tagTitle } from '@/lib/i18n/tool-facts'
import { t } from '@/lib/i18n/t'
import { atEnd, settingRow } from './settings-look'

interface ToolGroupProps {
  readonly tag: string | null
  /** How many of the tools that show are offered, and how many show. */
  readonly offered: number
  readonly shown: number
  readonly disabled: boolean
  /** All that show are offered, or none. */
  readonly onOffer: (on: boolean) => void
  readonly children: ReactNode
}

/** Tools of one kind under a heading. What is on is computed of them: all, some or none. */
export function ToolGroupSection({ tag, offered, shown, disabled, onOffer, children }: ToolGroupProps) {
  const heading = useId()
  const title = tagTitle(tag)
  const state = offered === 0 ? false : offered === shown ? true : 'mixed'
  return (
    <div role="group" aria-labelledby={heading} className="border-t border-line first:border-t-0">
      <div className={settingRow({}, 'bg-surface')}>
        <h4>
          <span id={heading}>
            <SaidText text={title} />
          </span>{' '}
          <span className="text-sm font-normal text-muted">{t('chat-settings.some', { offered, all: shown })}</span>
        </h4>
        <Switch
          // A switch knows no third state; a checkbox does.
          role="checkbox"
          aria-checked={state}
          label={t('chat-settings.offer-all', { group: visibleText(title, 'name') })}
          className={atEnd({}, 'aria-[checked=mixed]:after:start-[9px]')}
          checked={state === true}
          disabled={disabled}
          onChange={onOffer}
        />
      </div>
      {children}
    </div>
  )
}
