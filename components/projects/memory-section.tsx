'use client'

import { useId } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Switch } from '@/components/ui/forms/switch'
import { PageLink } from '@/components/ui/page/page-link'
import { useLanguage } from '@/components/ui/page/use-language'
import { hint, rows } from '@/components/ui/recipes/field'
import { textButton } from '@/components/ui/recipes/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { atEnd, section, sectionHead, settingRow } from '@/components/settings/settings-styles'
import type { SaveSettings } from '@/components/settings/use-save-settings'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { memoryTool, usesMemory } from '@/lib/shared/conversation/settings/project'
import { t } from '@/lib/i18n/t'

/** The same settings with memory used, or not. */
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
      <div className={settingRow()}>
        <div>
          <SentenceText text={label} />
          <small className={hint()}>{about}</small>
        </div>
        <Switch className={atEnd()} label={label} checked={checked} disabled={disabled} onChange={onChange} />
      </div>
    </div>
  )
}

/** In the settings of a chat: whether it uses memory, and the way to the text. */
export default function MemoryOfChat({
  settings,
  save,
}: Pick<SaveSettings, 'save'> & { settings: ConversationSettings }) {
  useLanguage()
  const heading = useId()
  const isTemporary = useConversation((view) => view.conversation?.temporary === true)
  const inProject = useConversation((view) => view.conversation?.project !== undefined)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('memory.title')}
      </h3>
      <MemorySwitch
        label={t('memory.use-here')}
        about={isTemporary ? t('memory.temporary') : t('memory.use-here-about', { project: inProject })}
        checked={!isTemporary && usesMemory(settings)}
        disabled={isTemporary}
        onChange={(used) => void save((now) => withMemoryUsed(now, used))}
      />
      <p className="mt-3">
        <PageLink className={textButton()} href="/settings#memory">
          {t('memory.edit')}
        </PageLink>
      </p>
    </section>
  )
}
