'use client'

import { useId, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { t } from '@/lib/i18n/t'
import { section, sectionHead, settingsNote } from './settings-styles'

const ServersDialog = lazyPart(() => import('@/components/servers/servers-dialog'), {
  what: () => t('servers.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** A link to the user's tool servers. */
export function ServersSection() {
  const heading = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('servers.title')}
      </h3>
      <p className={settingsNote()}>{t('servers.about')}</p>
      <Button onClick={() => setOpen(true)}>{t('servers.open')}</Button>
      {isOpen ? <ServersDialog onClose={() => setOpen(false)} /> : null}
    </section>
  )
}
