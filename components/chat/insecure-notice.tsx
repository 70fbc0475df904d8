'use client'

import { Icon } from '@/components/ui/controls/icon'
import { notice } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'

/** Says that no tool can run over plain http. Shown as long as the page is open. */
export default function InsecureNotice() {
  return (
    <div className={notice({ tone: 'warn', size: 'banner' }, 'mb-2')} role="alert">
      <Icon name="warn" />
      <p className="flex-1 text-pretty">{t('place.insecure')}</p>
    </div>
  )
}
