'use client'

import { useId, useSyncExternalStore } from 'react'
import { rows } from '@/components/ui/recipes/field'
import { Switch } from '@/components/ui/forms/switch'
import { notificationService } from '@/lib/client/wiring/page/notify.browser'
import { t } from '@/lib/i18n/t'
import { atEnd, section, sectionHead, settingRow, settingsNote } from './settings-styles'

/** A setting of this browser, not of the conversation. */
export default function NotifySection() {
  const heading = useId()
  // The server knows neither value.
  const choice = useSyncExternalStore(notificationService.subscribe, notificationService.choice, () => 'unasked')
  const blocked = useSyncExternalStore(notificationService.subscribe, notificationService.isBlocked, () => false)
  return (
    <section className={section()} aria-labelledby={heading}>
      <h3 className={sectionHead()} id={heading}>
        {t('notify.heading')}
      </h3>
      <p className={settingsNote()}>{t(blocked ? 'notify.blocked' : 'notify.about')}</p>
      <div className={rows()}>
        <div className={settingRow()}>
          <span>{t('notify.setting')}</span>
          <Switch
            className={atEnd()}
            label={t('notify.setting')}
            checked={choice === 'on' && !blocked}
            disabled={blocked}
            onChange={(on) => (on ? void notificationService.turnOn() : notificationService.turnOff())}
          />
        </div>
      </div>
    </section>
  )
}
