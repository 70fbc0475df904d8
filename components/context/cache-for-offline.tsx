'use client'

import { useEffect } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import { onFirstInteraction } from './first-interaction'

/** Keeps this browser able to go on without the server, once someone is at the page: it takes none of the first moments. */
export function OfflineCaching() {
  useEffect(
    () =>
      onFirstInteraction(() => {
        loadPart(() => import('@/lib/client/wiring/page/offline.browser'))
          .then(({ cacheForOffline }) => cacheForOffline())
          // Without it, or where the browser denies it, all works as long as there is a network.
          .catch(() => undefined)
      }),
    [],
  )
  return null
}
