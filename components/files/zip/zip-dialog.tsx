'use client'

import { lazyPart } from '@/components/ui/page/lazy-part'
import { t } from '@/lib/i18n/t'

/** The questions about a zip, loaded with the first one. */
export const ZipDialog = lazyPart(() => import('./import-zip-dialog'), {
  what: () => t('files-unzip.part'),
  look: 'over',
  close:
    ({ onDone }) =>
    () =>
      onDone([]),
})
