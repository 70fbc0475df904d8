'use client'

import { lazyPart } from '@/components/ui/lazy-part'

/** The questions about a zip, loaded with the first one. */
export const ZipDialog = lazyPart(() => import('./import-zip-dialog'), {
  what: 'Unpacking a zip',
  look: 'over',
  close:
    ({ onDone }) =>
    () =>
      onDone([]),
})
