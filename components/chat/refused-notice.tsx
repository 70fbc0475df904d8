'use client'

import { useState } from 'react'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { notice } from '@/components/ui/recipes/surface'
import type { Refusals } from '@/lib/client/wiring/page/refusals.browser'
import { t } from '@/lib/i18n/t'

/**
 * What the browser refuses to store for this site, and how to allow it. Without cookies nothing works, so that notice
 * stays.
 */
export default function RefusedNotice({ refused: { cookies, words, files } }: { refused: Refusals }) {
  const [dismissed, setDismissed] = useState(false)
  if (dismissed && !cookies) return null
  const site = window.location.host
  const what = words && files ? 'both' : words ? 'words' : 'files'
  return (
    <div className={notice({ tone: cookies ? 'bad' : 'warn', size: 'banner' }, 'mb-2')} role="alert">
      <Icon name="warn" />
      <p className="flex-1 text-pretty">
        {cookies ? t('place.no-cookies', { site }) : t('place.no-storage', { site, what })}
      </p>
      <Button onClick={() => window.location.reload()}>{t('frame.reload')}</Button>
      {cookies ? null : <IconButton icon="cross" label={t('frame.dismiss')} onClick={() => setDismissed(true)} />}
    </div>
  )
}
