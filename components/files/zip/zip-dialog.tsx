'use client'

import { lazyPart } from '@/components/ui/lazy-part'
import { unzipSentence } from '@/lib/words/files-unzip'

/** The questions about a zip, loaded with the first one. */
export const ZipDialog = lazyPart(() => import('./import-zip-dialog'), {
  what: () => unzipSentence('files-unzip.part'),
  look: 'over',
  close:
    ({ onDone }) =>
    () =>
      onDone([]),
})
