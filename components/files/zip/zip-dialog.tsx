'use client'

import { lazyPart } from '@/components/ui/page/lazy-part'
import { t } from '@/lib/i18n/t'

/** The zip dialog, loaded on first use. */
export const ZipDialog = lazyPart(() => import('./import-zip-dialog'), {
  what: () => t('files-unzip.part'),
  look: 'over',
  close:
    ({ onDone }) =>
    () =>
      onDone([]),
})
