'use client'

import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import { t } from '@/lib/i18n/t'
import { section, sectionHead, settingsNote } from './settings-styles'

const ModelsDialog = lazyPart(() => import('@/components/browser-models/models-dialog'), {
  what: () => t('chat-settings.models'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** The way to the models of this browser. */
export function ModelsSection() {
  const heading = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('chat-settings.models')}
      </h3>
      <p className={settingsNote()}>{t('chat-settings.models-about')}</p>
      <Button onClick={() => setOpen(true)}>{t('chat-settings.models-open')}</Button>
      {isOpen ? <ModelsDialog onClose={() => setOpen(false)} /> : null}
    </section>
  )
}
