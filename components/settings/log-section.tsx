'use client'

import { useId, useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { ExportEverything } from '@/components/log/export-everything'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { row } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'
import { settingsNote, section, sectionHead } from './settings-look'

const LogDialog = lazyPart(() => import('@/components/log/log-dialog'), {
  what: () => t('chat-settings.log-part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The way to the log; a chat that was never sent has none. */
export function LogSection() {
  const heading = useId()
  const id = useConversation((view) => view.id)
  const stored = useConversation((view) => view.phase === 'ready')
  const [open, setOpen] = useState(false)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.log')}
      </h3>
      <p className={settingsNote()}>{t('chat-settings.log-about')}</p>
      {stored ? (
        <div className={row()}>
          <Button onClick={() => setOpen(true)}>{t('chat-settings.log-open')}</Button>
          <ExportEverything conversationId={id} />
        </div>
      ) : (
        <p className={settingsNote()}>{t('chat-settings.log-none')}</p>
      )}
      {open ? <LogDialog conversationId={id} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}
