'use client'

import { useId } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { PageLink } from '@/components/ui/page/page-head'
import { useLanguage } from '@/components/ui/page/use-language'
import { textButton } from '@/components/ui/recipes/button'
import { section, sectionHead } from './settings-styles'
import type { SaveSettings } from './use-save-settings'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { usesMemory } from '@/lib/shared/conversation/settings/project'
import { MemorySwitch, withMemoryUsed } from '@/components/projects/memory-editor'
import { t } from '@/lib/i18n/t'

/** In a chat's settings: whether it uses memory, and a link to the text. */
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
